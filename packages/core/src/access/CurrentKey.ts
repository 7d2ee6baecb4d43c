import { Context } from "effect";

/**
 * The id of the API key with which the current call was made; null in process. A host provides it.
 */
export const CurrentKey = Context.Reference<string | null>(
  "@quartermaster/core/access/CurrentKey",
  { defaultValue: () => null },
);
