import { Argument } from "effect/cli";

/** The argument of every command over one server. */
export const server = Argument.String("server").pipe(
  Argument.withDescription("The name of the installed server, or its id"),
);
