import { Bridge } from "@quartermaster/mcp";
import { Effect, FileSystem, Option, Redacted, Stdio, Stream } from "effect";
import * as NodeProcess from "./NodeProcess.ts";
import { secretSetting, setting, text } from "./Setting.ts";
import { StartError } from "./StartError.ts";

const anyText = {
  mustBe: "an agent's key",
  read: (key: string) => Option.some(Redacted.make(key.trim())),
};

const keyFrom = Effect.fnUntraced(function* (file: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem;
  const key = Option.isNone(file)
    ? yield* secretSetting("QM_KEY", anyText, null)
    : Redacted.make(
        (yield* Effect.mapError(
          fs.readFileString(file.value),
          ({ reason }) =>
            new StartError({
              // Without the path: it may be the key, by mistake.
              message: `--key-file must name a file with an agent's key that can be read (${reason._tag}).`,
            }),
        )).trim(),
      );
  if (key !== null && Redacted.value(key) !== "") return key;
  return yield* new StartError({
    message: "QM_KEY must be the agent's key, or --key-file must name a file that has it.",
  });
});

/** The stdio bridge: nothing but the protocol goes to stdout. */
export const run = Effect.fnUntraced(function* (flags: {
  readonly url: Option.Option<string>;
  readonly keyFile: Option.Option<string>;
}) {
  const stdio = yield* Stdio.Stdio;
  const key = yield* keyFrom(flags.keyFile);
  const address =
    Option.getOrNull(flags.url) ?? (yield* setting("QM_URL", text, "http://127.0.0.1:7420"));
  yield* Bridge.run({
    url: address,
    key,
    lines: stdio.stdin.pipe(Stream.decodeText, Stream.splitLines, Stream.orDie),
    write: NodeProcess.printMessage,
    say: NodeProcess.printNote,
  });
});
