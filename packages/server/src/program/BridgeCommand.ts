import { CommandError, Connection, NodeProcess, userAgent } from "@quartermaster/cli";
import { Bridge } from "@quartermaster/mcp";
import { Effect, Stdio, Stream } from "effect";

const kinds = {
  invalidUrl: "usage",
  unauthenticated: "unauthenticated",
  refused: "refused",
} as const satisfies Record<Bridge.BridgeError["reason"], CommandError.CommandError["kind"]>;

/** The stdio bridge. Only protocol messages go to stdout. */
export const run = Effect.fnUntraced(function* (flags: Connection.Flags) {
  const stdio = yield* Stdio.Stdio;
  yield* Bridge.run({
    ...(yield* Connection.open(flags)),
    userAgent: userAgent("quartermaster-bridge") ?? "quartermaster-bridge",
    lines: stdio.stdin.pipe(Stream.decodeText, Stream.splitLines, Stream.orDie),
    write: NodeProcess.printMessage,
    say: NodeProcess.printNote,
  }).pipe(
    Effect.mapError(
      ({ message, reason }) =>
        new CommandError.CommandError({
          kind: kinds[reason],
          message,
          problem: null,
          retryAfterSeconds: null,
        }),
    ),
  );
});
