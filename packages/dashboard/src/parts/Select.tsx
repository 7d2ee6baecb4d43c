import { Select as Base } from "@base-ui/react/select";
import { Icon } from "./Icon.tsx";
import menu from "./Menu.module.css";
import styles from "./Select.module.css";

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** A labeled select with a few values. */
export const Select = <Value extends string>({
  choices,
  label,
  onChange,
  value,
}: {
  readonly label: string;
  readonly choices: ReadonlyArray<Choice<Value>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) => (
  <Base.Root items={[...choices]} value={value} onValueChange={(next) => next && onChange(next)}>
    <div className={styles["root"]}>
      <Base.Label className={styles["label"]}>{label}</Base.Label>
      <Base.Trigger className={styles["trigger"]}>
        <Base.Value />
        <Base.Icon>
          <Icon name="chevron" size={14} />
        </Base.Icon>
      </Base.Trigger>
    </div>
    <Base.Portal>
      <Base.Positioner className={menu["positioner"]} sideOffset={4} alignItemWithTrigger={false}>
        <Base.Popup className={menu["popup"]}>
          <Base.List>
            {choices.map((choice) => (
              <Base.Item key={choice.value} value={choice.value} className={menu["item"]}>
                <Base.ItemText className={menu["text"] ?? ""}>{choice.label}</Base.ItemText>
                <Base.ItemIndicator>
                  <Icon name="check" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
