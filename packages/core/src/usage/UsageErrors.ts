import { ErrorClass, text } from "../ErrorClass.ts";

/** A report whose key the run already counted with other values. */
export class UsageKey extends ErrorClass<UsageKey>()(
  "UsageKey",
  { key: text("The key.") },
  ({ key }) =>
    `The run already has a usage report ${JSON.stringify(key)} with other values. Give each report a key of its own.`,
) {}
