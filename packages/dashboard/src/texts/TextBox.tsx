import { type ComponentProps, type KeyboardEvent, type RefObject, useId, useState } from "react";
import { suggestionsOf, useMentionable } from "./mentionable.ts";
import { replaceText } from "./replaceText.ts";
import { SendingItem } from "./SendingItem.tsx";
import { Suggestions } from "./Suggestions.tsx";
import type { TextFiles } from "./textFiles.ts";
import { typedName } from "./typedName.ts";
import styles from "./Texts.module.css";

const hasFiles = ({ dataTransfer }: { readonly dataTransfer: DataTransfer }) =>
  dataTransfer.types.includes("Files");

/**
 * The field of a Markdown text. It suggests agents and people while the user types `@`, and takes files that are
 * dropped or pasted.
 */
export const TextBox = ({
  files,
  input,
  issueId,
  onKeyDown,
  ...props
}: Omit<ComponentProps<"textarea">, "ref"> & {
  readonly issueId: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly files: TextFiles;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}) => {
  const list = useId();
  /** The name that is being typed; null without one, and after Escape. */
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const everyone = useMentionable(issueId, typed !== null);
  const found = typed === null ? [] : suggestionsOf(everyone, typed);
  const active = Math.min(at, found.length - 1);

  const [place, setPlace] = useState<DOMRect | null>(null);

  const look = (field: HTMLTextAreaElement) => {
    const { selectionEnd, selectionStart, value } = field;
    const name = selectionStart === selectionEnd ? typedName(value, selectionEnd) : null;
    setTyped(name);
    setAt(0);
    if (name !== null) setPlace(field.getBoundingClientRect());
  };
  const pick = (id: string) => {
    const field = input.current;
    if (field === null || typed === null) return;
    const { selectionEnd } = field;
    replaceText(field, `@${id} `, selectionEnd - typed.length - 1, selectionEnd);
    setTyped(null);
    field.focus();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setAt((active + 1) % found.length),
    ArrowUp: () => setAt((active - 1 + found.length) % found.length),
    Enter: () => pick(found[active]?.id ?? ""),
    Tab: () => pick(found[active]?.id ?? ""),
    Escape: () => setTyped(null),
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !event.shiftKey;
    const run = found.length > 0 && isPlain ? keys[event.key] : undefined;
    if (run === undefined || event.nativeEvent.isComposing) return onKeyDown?.(event);
    event.preventDefault();
    event.stopPropagation();
    run();
  };

  return (
    <>
      <textarea
        {...props}
        ref={input}
        aria-autocomplete="list"
        aria-controls={found.length > 0 ? list : undefined}
        aria-activedescendant={found.length > 0 ? `${list}${active}` : undefined}
        onKeyDown={onKey}
        onSelect={({ currentTarget }) => {
          const next = typedName(currentTarget.value, currentTarget.selectionEnd);
          if (next === null && typed !== null) setTyped(null);
        }}
        onChange={(event) => {
          props.onChange?.(event);
          look(event.currentTarget);
        }}
        onBlur={() => setTyped(null)}
        onDragOver={(event) => {
          if (hasFiles(event)) event.preventDefault();
        }}
        onDrop={(event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          files.send([...event.dataTransfer.files]);
        }}
        onPaste={(event) => {
          const { clipboardData } = event;
          // Pasted text often comes with a rendered picture of itself: ignore the picture.
          if (clipboardData.files.length === 0 || clipboardData.types.includes("text/plain"))
            return;
          event.preventDefault();
          files.send([...clipboardData.files]);
        }}
      />
      {found.length === 0 || place === null ? null : (
        <Suggestions id={list} field={place} found={found} active={active} onPick={pick} />
      )}
      {files.sending.length === 0 ? null : (
        <ul className={styles["sending"]} aria-label="Uploads">
          {files.sending.map((one) => (
            <SendingItem
              key={one.id}
              sending={one}
              onAgain={() => files.again(one)}
              onDrop={() => files.drop(one.id)}
            />
          ))}
        </ul>
      )}
    </>
  );
};
