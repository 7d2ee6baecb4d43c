import { Argument } from "effect/cli";

/** The server argument. */
export const server = Argument.String("server").pipe(
  Argument.withDescription("The name or id of the installed server"),
);
