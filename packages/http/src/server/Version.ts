import { Context } from "effect";

/** The version of the program, as its package names it. The entry point sets it. */
export const Version = Context.Reference<string>("@quartermaster/http/server/Version", {
  defaultValue: () => "development",
});
