import { Context } from "effect";

/** The version of the program, as its package names it. The entry point sets it. */
export const Version = Context.Reference<string>("@quartermaster/cli/process/Version", {
  defaultValue: () => "development",
});
