import type { EnvVar } from "../data/servers/catalog.ts";
import { Field } from "../parts/Field.tsx";

/** The entered values by variable name. */
export type EnvValues = Readonly<Record<string, string>>;

/** The fields for an entry's variables. Secrets are masked, and stored values are never shown. */
export const EnvFields = ({
  isStored,
  onChange,
  values,
  variables,
}: {
  readonly variables: ReadonlyArray<EnvVar>;
  readonly values: EnvValues;
  readonly onChange: (values: EnvValues) => void;
  /** Whether the server stores a value, which an empty field leaves unchanged. */
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
