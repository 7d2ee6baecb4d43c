import { Bridge } from "@quartermaster/mcp";
import { Effect, Stdio, Stream } from "effect";
import * as Connection from "../cli/Connection.ts";
import * as NodeProcess from "../server/NodeProcess.ts";

/** The stdio bridge: nothing but the protocol goes to stdout. */
export const run = Effect.fnUntraced(function* (flags: Connection.Flags) {
  const stdio = yield* Stdio.Stdio;
  const { key, url } = yield* Connection.open(flags);
  yield* Bridge.run({
    url,
    key,
    lines: stdio.stdin.pipe(Stream.decodeText, Stream.splitLines, Stream.orDie),
    write: NodeProcess.printMessage,
    say: NodeProcess.printNote,
  });
});
