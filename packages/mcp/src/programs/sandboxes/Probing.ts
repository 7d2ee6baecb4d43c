import type { ProcessSpawner } from "@quartermaster/core";
import { Clock, Effect, Semaphore, Stream } from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import { Host } from "../processes/Host.ts";

const limit = "3 seconds";
/**
 * The time for which a failure is cached: an Admin may install the missing program in the meantime.
 */
const failureMillis = 30_000;

/**
 * Runs a program until it exits. Returns its output on exit code 0, otherwise the reason of the
 * failure.
 */
export const run = Effect.fnUntraced(
  function* (command: string, args: ReadonlyArray<string>) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner;
    const { environment } = yield* Host;
    const handle = yield* spawner.spawn(
      ChildProcess.make(command, args, {
        env: environment,
        stdin: "ignore",
        killSignal: "SIGKILL",
      }),
    );
    const text = yield* Stream.mkString(Stream.decodeText(handle.all));
    const code = yield* handle.exitCode;
    const [line = ""] = text.trim().split("\n");
    return code === 0
      ? { ok: true as const, text: text.trim() }
      : { ok: false as const, text: line === "" ? `It exited with code ${code}.` : line };
  },
  Effect.scoped,
  Effect.timeoutOrElse({
    duration: limit,
    orElse: () => Effect.succeed({ ok: false as const, text: `It did not exit within ${limit}.` }),
  }),
  Effect.catch((error) =>
    Effect.succeed({
      ok: false as const,
      text: error.reason._tag === "NotFound" ? "It was not found." : error.message,
    }),
  ),
);

/** Shares one detection between callers. A success is cached forever. */
export const remembered = <R>(look: Effect.Effect<ProcessSpawner.SandboxReport, never, R>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>();
    const turn = yield* Semaphore.make(1);
    let last: { readonly report: ProcessSpawner.SandboxReport; readonly at: number } | undefined;
    return turn.withPermits(1)(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        if (last !== undefined && (last.report.detected || now - last.at < failureMillis)) {
          return last.report;
        }
        const report = yield* Effect.provideContext(look, context);
        last = { report, at: now };
        return report;
      }),
    );
  });
