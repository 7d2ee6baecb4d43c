import { Argument } from "effect/cli";

/** The argument of every command over one server. */
export const server = Argument.String("server").pipe(
  Argument.withDescription("The name or id of the installed server"),
);
