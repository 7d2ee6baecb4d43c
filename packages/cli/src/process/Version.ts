import { Context } from "effect";

/** The version in the program's package.json. The entry point sets it. */
export const Version = Context.Reference<string>("@quartermaster/cli/process/Version", {
  defaultValue: () => "development",
});
