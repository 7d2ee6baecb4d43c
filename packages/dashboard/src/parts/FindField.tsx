import { type RefObject, useEffect, useRef, useState } from "react";
import { Icon } from "./Icon.tsx";
import styles from "./FindField.module.css";

/** The pause in typing, in milliseconds, after which the search starts. */
const pause = 150;

/** A search field for a list. `value` is the committed text, stored in the URL. */
export const FindField = ({
  input,
  label,
  onFind,
  placeholder = "Find",
  value,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onFind: (text: string | undefined) => void;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly placeholder?: string;
}) => {
  const [text, setText] = useState(value ?? "");
  // The texts that were sent and are not in the URL yet. The user types on in the meantime.
  const sent = useRef<ReadonlyArray<string | undefined>>([]);
  useEffect(() => {
    const at = sent.current.indexOf(value);
    sent.current = at === -1 ? [] : sent.current.slice(at + 1);
    // Preserves a trailing space: the user is about to type another word.
    if (at === -1) setText((typed) => (typed.trim() === (value ?? "") ? typed : (value ?? "")));
  }, [value]);
  useEffect(() => {
    const found = text.trim() === "" ? undefined : text.trim();
    if (found === (sent.current.length === 0 ? value : sent.current.at(-1))) return undefined;
    const timer = setTimeout(() => {
      sent.current = [...sent.current, found];
      onFind(found);
    }, pause);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts a search
  }, [text]);
  return (
    <label className={styles["find"]}>
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
};
