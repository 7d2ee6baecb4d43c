import { Effect, Layer, Stdio } from "effect";

/** The options whose value may be missing. */
const options: ReadonlySet<string> = new Set(["--worktree"]);

/** `--worktree DIR` as `--worktree=DIR`: otherwise DIR would be the start of COMMAND. */
const joined = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const at = own.findIndex((arg, index) => {
    const value = own[index + 1];
    return options.has(arg) && value !== undefined && !value.startsWith("-");
  });
  return at === -1
    ? args
    : [...args.slice(0, at), `${args[at]}=${args[at + 1]}`, ...args.slice(at + 2)];
};

/** The arguments of the program, in which a value of such an option may follow after a space. */
export const layer = Layer.effect(
  Stdio.Stdio,
  Effect.map(Stdio.Stdio, (stdio) => ({ ...stdio, args: Effect.map(stdio.args, joined) })),
);
