import type { EnvVar } from "../data/servers/catalog.ts";
import { Field } from "../parts/Field.tsx";

/** The entered values, by the name of the variable. */
export type EnvValues = Readonly<Record<string, string>>;

/** The variables of an entry. A secret is masked, and no stored value is ever shown. */
export const EnvFields = ({
  isStored,
  onChange,
  values,
  variables,
}: {
  readonly variables: ReadonlyArray<EnvVar>;
  readonly values: EnvValues;
  readonly onChange: (values: EnvValues) => void;
  /** Whether the server has a value, which stays while nothing is typed. */
  readonly isStored?: (name: string) => boolean;
}) =>
  variables.map(({ default: fallback, description, name, required, secret }) => {
    const stored = isStored?.(name) === true;
    const isRequired = required && fallback == null && !stored;
    return (
      <Field
        key={name}
        label={`${name}${isRequired ? " (required)" : ""}`}
        hint={description}
        type={secret ? "password" : "text"}
        autoComplete={secret ? "new-password" : "off"}
        autoCapitalize="off"
        spellCheck={false}
        required={isRequired}
        placeholder={
          stored
            ? "Has a value. Type to replace it."
            : fallback == null
              ? ""
              : `Default: ${fallback}`
        }
        value={values[name] ?? ""}
        onValueChange={(value) => onChange({ ...values, [name]: value })}
      />
    );
  });
