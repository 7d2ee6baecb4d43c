import { Effect, Option } from "effect";
import { Argument, Command, Flag } from "effect/cli";

/** Options that several commands share. No option takes a secret as its value. */

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON document"),
  Flag.withDefault(false),
);

export const url = Flag.String("url").pipe(
  Flag.withDescription("The URL of the server. Default: QM_URL, then the stored login"),
  Flag.optional,
);

export const keyFile = Flag.String("key-file").pipe(
  Flag.withDescription("A file with the API key. Default: QM_KEY, then the stored login"),
  Flag.optional,
);

/** The options of every command that calls a server. */
export const connection = { url, keyFile, json };

/** The key option of `login`, the only command that prompts for a key. */
export const newKeyFile = Flag.String("key-file").pipe(
  Flag.withDescription("A file with the API key. Default: QM_KEY, then a prompt or stdin"),
  Flag.optional,
);

export const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional);

/** An option with a fixed set of values, in any letter case. */
export const oneOf = <const Value extends string>(
  name: string,
  values: ReadonlyArray<Value>,
  description: string,
) =>
  Flag.String(name).pipe(
    Flag.filterMap(
      (text) =>
        Option.fromUndefinedOr(values.find((value) => value.toLowerCase() === text.toLowerCase())),
      (text) => `--${name} must be one of ${values.join(", ")}, not ${text}`,
    ),
    Flag.withDescription(`${description}: ${values.join(", ")}`),
  );

/** An option with values of a fixed set, in any letter case: a list with commas, repeatable. */
export const someOf = <const Value extends string>(
  name: string,
  values: ReadonlyArray<Value>,
  description: string,
) =>
  Flag.String(name).pipe(
    Flag.filterMap(
      (text) => {
        const found = text
          .split(",")
          .map((part) => values.find((value) => value.toLowerCase() === part.trim().toLowerCase()));
        return found.includes(undefined)
          ? Option.none()
          : Option.some(found.flatMap((value) => value ?? []));
      },
      (text) => `--${name} must be a list of ${values.join(", ")}, not ${text}`,
    ),
    Flag.withDescription(`${description}, separated by commas: ${values.join(", ")}`),
    Flag.atLeast(0),
  );

/** An option with ids or names: a list with commas, repeatable. */
export const texts = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description}, separated by commas`),
    Flag.atLeast(0),
  );

/** The option of a command that uses the default project; see `DefaultProject`. */
export const allProjects = Flag.Boolean("all-projects").pipe(
  Flag.withDescription("All projects, although `quartermaster use` chose one"),
  Flag.withDefault(false),
);

/** The other name of each `list`. */
export const listAlias = Command.withAlias("ls");

/** The other name of each `create`. */
export const newAlias = Command.withAlias("new");

export const issue = Argument.String("issue").pipe(
  Argument.withDescription("The key or id of the issue, such as SHOP-142"),
);

/** The option `--limit` of a list, up to `most` items. */
export const limitTo = (most: number) =>
  Flag.Int("limit").pipe(
    Flag.withDescription(
      `The most items to print. Default: ${most === Number.MAX_SAFE_INTEGER ? "all" : most}`,
    ),
    Flag.filter(
      (limit) => limit >= 1,
      (limit) => `--limit must be 1 or more, not ${limit}`,
    ),
    Flag.withDefault(most),
  );

/** The option `--limit` without a maximum. */
export const limit = limitTo(Number.MAX_SAFE_INTEGER);

/** The help of a command: a summary without a full stop, which lists show, and further sentences. */
export const described =
  (summary: string, more?: string) =>
  <Name extends string, Input, ContextInput, E, R>(
    command: Command.Command<Name, Input, ContextInput, E, R>,
  ) =>
    command.pipe(
      Command.withDescription(more === undefined ? `${summary}.` : `${summary}. ${more}`),
      Command.withShortDescription(summary),
    );

/** Adds an example to a command's help. */
export const example = (command: string, description: string) =>
  Command.withExamples([{ command: `quartermaster ${command}`, description }]);

/**
 * Loads the code of a command when the command runs. `load` imports its module, so that the bundler
 * puts it in a separate chunk: `quartermaster whoami` then loads a tenth of the program.
 */
export const lazily =
  <I, E, R>(load: () => Promise<(input: I) => Effect.Effect<void, E, R>>) =>
  (input: I): Effect.Effect<void, E, R> =>
    Effect.flatMap(Effect.promise(load), (run) => run(input));
