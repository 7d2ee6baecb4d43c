import { type KeyboardEvent, useRef } from "react";
import { FilterChip } from "./FilterChip.tsx";
import { Suggest } from "./Suggest.tsx";
import styles from "./Choices.module.css";

/** An input of several values, shown as chips. Enter, a comma or a suggestion adds the typed text. */
export const Choices = ({
  chosen,
  label,
  onChange,
  placeholder,
  suggestions,
  text,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly chosen: ReadonlyArray<string>;
  readonly text: string;
  readonly suggestions: ReadonlyArray<string>;
  readonly onChange: (chosen: ReadonlyArray<string>, text: string) => void;
}) => {
  const choices = useRef<HTMLDivElement>(null);
  const remove = (one: string) => {
    // The focused button disappears with its chip.
    choices.current?.querySelector("input")?.focus();
    onChange(
      chosen.filter((other) => other !== one),
      text,
    );
  };
  const add = (values: ReadonlyArray<string>) => {
    const added = values.map((value) => value.trim()).filter((value) => value !== "");
    onChange([...new Set([...chosen, ...added])], "");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === "Backspace" && text === "") onChange(chosen.slice(0, -1), "");
    if (event.key !== "Enter" || text.trim() === "" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    add([text]);
  };
  return (
    // Handles keys that bubble up from the field.
    <div ref={choices} className={styles["choices"]} onKeyDown={onKeyDown}>
      <Suggest
        label={label}
        placeholder={placeholder}
        value={text}
        onChange={(next) => (next.includes(",") ? add(next.split(",")) : onChange(chosen, next))}
        onPick={(one) => add([one])}
        suggestions={suggestions.filter((one) => !chosen.includes(one))}
      />
      {chosen.length === 0 ? null : (
        <div className={styles["chips"]}>
          {chosen.map((one) => (
            <FilterChip key={one} label="Remove" text={one} onClear={() => remove(one)} />
          ))}
        </div>
      )}
    </div>
  );
};
