import { Effect, Layer, Stdio } from "effect";
import { Flag, GlobalFlag, TerminalCapabilities } from "effect/cli";

/** `--no-color`: a flag of every command. Help has no colors either. */
export const flag = GlobalFlag.Setting("no-color")({
  flag: Flag.Boolean("no-color").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Print no colors on a terminal, as with the variable NO_COLOR"),
    Flag.withDefault(false),
  ),
});

/** The capabilities of the terminal. Arguments after `--` belong to another program. */
export const layer = Layer.effect(
  TerminalCapabilities.TerminalCapabilities,
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio;
    const args = yield* stdio.args;
    const end = args.indexOf("--");
    const own = end === -1 ? args : args.slice(0, end);
    const found = yield* TerminalCapabilities.TerminalCapabilities;
    return own.includes("--no-color") ? { ...found, canColor: false } : found;
  }),
).pipe(Layer.provide(TerminalCapabilities.layer));
