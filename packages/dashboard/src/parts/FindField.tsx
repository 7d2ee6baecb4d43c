import { type RefObject, useEffect, useState } from "react";
import { Icon } from "./Icon.tsx";
import styles from "./FindField.module.css";

/** So long a person has stopped typing before the search starts, in milliseconds. */
const pause = 150;

/** A field that narrows a list by what is typed. The URL has the text, as `value`. */
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
  // A space at the end stays: another word follows.
  useEffect(
    () => setText((typed) => (typed.trim() === (value ?? "") ? typed : (value ?? ""))),
    [value],
  );
  useEffect(() => {
    const found = text.trim() === "" ? undefined : text.trim();
    if (found === value) return undefined;
    const timer = setTimeout(() => onFind(found), pause);
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
