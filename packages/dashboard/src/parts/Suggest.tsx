import { Autocomplete as Base } from "@base-ui/react/autocomplete";
import field from "./Field.module.css";
import menu from "./Menu.module.css";

/** A text input with suggestions. It accepts any text. */
export const Suggest = ({
  label,
  onChange,
  onPick = onChange,
  placeholder,
  required = false,
  suggestions,
  value,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called when the user picks a suggestion. Default: the suggestion replaces the text. */
  readonly onPick?: (value: string) => void;
  readonly suggestions: ReadonlyArray<string>;
  readonly placeholder?: string;
  readonly required?: boolean;
}) => (
  <Base.Root
    items={[...suggestions]}
    value={value}
    onValueChange={(text, { reason }) => (reason === "item-press" ? onPick : onChange)(text)}
    openOnInputClick
  >
    <label className={field["field"]}>
      <span className={field["label"]}>{label}</span>
      <Base.Input className={field["input"] ?? ""} placeholder={placeholder} required={required} />
    </label>
    <Base.Portal>
      <Base.Positioner className={menu["positioner"]} sideOffset={4}>
        <Base.Popup className={menu["popup"]}>
          <Base.List>
            {(item: string) => (
              <Base.Item key={item} value={item} className={menu["item"]}>
                {item}
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
