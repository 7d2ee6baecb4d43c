import { Effect } from "effect";
import { Argument, Flag } from "effect/cli";

/** Options that many commands share. No option takes a secret as its value. */

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON document"),
  Flag.withDefault(false),
);

export const url = Flag.String("url").pipe(
  Flag.withDescription("Where the server is; else QM_URL, else the login's"),
  Flag.optional,
);

export const keyFile = Flag.String("key-file").pipe(
  Flag.withDescription("A file with the API key; else QM_KEY, else the login's"),
  Flag.optional,
);

/** The options of every command that talks to a server. */
export const connection = { url, keyFile, json };

export const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional);

export const issue = Argument.String("issue").pipe(
  Argument.withDescription("The id of the issue, iss_..."),
);

/**
 * Loads the code of a command when the command runs. `run` is the promise of its module, so that
 * the bundler makes a chunk of it: `quartermaster whoami` then loads a tenth of the program.
 */
export const lazily =
  <I, E, R>(load: () => Promise<(input: I) => Effect.Effect<void, E, R>>) =>
  (input: I): Effect.Effect<void, E, R> =>
    Effect.flatMap(Effect.promise(load), (run) => run(input));
