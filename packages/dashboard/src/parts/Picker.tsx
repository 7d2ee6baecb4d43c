import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { Dialog } from "./Dialog.tsx";
import { Icon } from "./Icon.tsx";
import styles from "./Picker.module.css";

export interface PickerOption {
  readonly id: string;
  readonly text: string;
  readonly icon?: ReactNode;
  readonly checked?: boolean;
  /** The heading over the option. Options of one group follow each other. */
  readonly group?: string;
  /** The reason why the option is disabled. */
  readonly why?: string | null;
}

const matches = (text: string, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/** An option, below the heading of its group if it is the first one. */
const Item = ({
  id,
  isFirst,
  isSelected,
  onPick,
  onPoint,
  option: { checked, group, icon, text, why },
}: {
  readonly id: string;
  readonly option: PickerOption;
  readonly isFirst: boolean;
  readonly isSelected: boolean;
  readonly onPoint: () => void;
  readonly onPick: () => void;
}) => (
  <>
    {group === undefined || !isFirst ? null : (
      <div className={styles["group"]} role="presentation">
        {group}
      </div>
    )}
    {/* The options need no key handler: the input keeps the focus. */}
    <div
      id={id}
      className={styles["option"]}
      role="option"
      aria-selected={isSelected}
      aria-disabled={why != null}
      tabIndex={-1}
      onPointerMove={onPoint}
      onClick={onPick}
    >
      {icon}
      <span className={styles["text"]}>
        <span dir="auto">{text}</span>
        {why == null ? null : <span className={styles["why"]}>{why}</span>}
      </span>
      {checked === true ? <Icon name="check" /> : null}
    </div>
  </>
);

/** A list with a search field. Load it with `lazily`, so that its code arrives when it first opens. */
export const Picker = ({
  empty,
  firstFound,
  free,
  isMultiple = false,
  onClose,
  onPick,
  onQuery,
  options,
  title,
}: {
  readonly title: string;
  readonly options: ReadonlyArray<PickerOption>;
  readonly onPick: (id: string) => void;
  readonly onClose: () => void;
  /**
   * The label of an option that accepts the typed text as a new value, such as `Add the label`. Default:
   * only listed options can be chosen.
   */
  readonly free?: string;
  /** Whether the list stays open after a choice. */
  readonly isMultiple?: boolean;
  /** While the options belong to an earlier text: waits for the first option of the typed text, which Enter chooses. */
  readonly firstFound?: (() => Promise<PickerOption | undefined>) | undefined;
  /** Called with the typed text if the server filters the options. */
  readonly onQuery?: (query: string) => void;
  readonly empty?: string;
}) => {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const query = text.trim();
  const found =
    onQuery === undefined
      ? options.filter((one) => matches(`${one.group ?? ""} ${one.text}`, query))
      : options;
  const isNew = free !== undefined && query !== "" && !options.some((one) => one.id === query);
  const shown = isNew ? [...found, { id: query, text: `${free} “${query}”` }] : found;
  const selected = Math.min(at, shown.length - 1);

  const pick = (option: PickerOption | undefined) => {
    if (option === undefined || option.why != null) return;
    onPick(option.id);
    if (!isMultiple) onClose();
    setText("");
    onQuery?.("");
  };
  const enter = async () => {
    if (firstFound === undefined) return pick(shown[selected]);
    const option = await firstFound();
    if (input.current?.value === text) pick(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      const next = (selected + by + shown.length) % Math.max(1, shown.length);
      setAt(next);
      document.getElementById(`${id}${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") void enter();
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      open
      bare
      title={title}
      onClose={onClose}
      initialFocus={input}
      className={styles["picker"]}
    >
      <input
        ref={input}
        className={styles["input"]}
        role="combobox"
        aria-label={title}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown.length === 0 ? undefined : `${id}${selected}`}
        placeholder={title}
        maxLength={256}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onQuery?.(event.target.value.trim());
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        className={styles["options"]}
        id={id}
        role="listbox"
        aria-label={title}
        aria-multiselectable={isMultiple}
      >
        {shown.length === 0 ? (
          <div className={styles["none"]}>{empty ?? "No matches."}</div>
        ) : (
          shown.map((option, index) => (
            <Item
              key={option.id}
              id={`${id}${index}`}
              option={option}
              isFirst={option.group !== shown[index - 1]?.group}
              isSelected={index === selected}
              onPoint={() => setAt(index)}
              onPick={() => pick(option)}
            />
          ))
        )}
      </div>
    </Dialog>
  );
};
