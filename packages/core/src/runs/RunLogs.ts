import { Clock, Context, Effect, Layer, Option, Redacted, type Stream } from "effect";
import { Forbidden } from "../access/AccessErrors.ts";
import { CurrentKey } from "../access/CurrentKey.ts";
import * as Principal from "../access/Principal.ts";
import { RunEnded } from "../agents/AgentErrors.ts";
import { CurrentRun } from "../agents/CurrentRun.ts";
import * as Fence from "../agents/Fence.ts";
import { isLive, type RunRow } from "../agents/Run.ts";
import { RunStore } from "../agents/RunStore.ts";
import {
  InvalidRequest,
  type LimitExceeded,
  NotFound,
  PayloadTooLarge,
  type StorageError,
} from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { AgentSecrets } from "./AgentSecrets.ts";
import * as LogLimits from "./internal/LogLimits.ts";
import * as LogReading from "./internal/LogReading.ts";
import * as LogScrubber from "./internal/LogScrubber.ts";
import { LogTail } from "./internal/LogTail.ts";
import * as LogWriting from "./internal/LogWriting.ts";
import type { LogGap } from "./RunErrors.ts";
import {
  type LogAppended,
  LogEntries,
  type LogPage,
  type LogQuery,
  maxTextBytes,
} from "./RunLog.ts";
import { RunLogStore } from "./RunLogStore.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;

/**
 * The logs of runs. Their limits never fail work: beyond a limit, entries are dropped and counted.
 */
export class RunLogs extends Context.Service<
  RunLogs,
  {
    /**
     * Stores new entries of a writer. Repeated entries are stored once. Fails with `LogGap` for
     * entries that do not continue the writer's, and with `Forbidden` for an agent that neither
     * started the run nor acts for it.
     */
    append(
      agentId: string,
      runId: string,
      input: typeof LogEntries.Encoded,
    ): Effect.Effect<
      LogAppended,
      | Forbidden
      | NotFound
      | InvalidRequest
      | PayloadTooLarge
      | LimitExceeded
      | RunEnded
      | LogGap
      | StorageError,
      CurrentPrincipal
    >;
    /** Returns entries of a run's log, oldest first. With `waitSeconds` it waits for the first one. */
    read(
      agentId: string,
      runId: string,
      query?: LogQuery,
    ): Effect.Effect<LogPage, NotFound | InvalidRequest | StorageError, CurrentPrincipal>;
    /** Returns the entries that the log has now as text. */
    text(
      agentId: string,
      runId: string,
      query?: Pick<LogQuery, "after" | "stream" | "writer">,
    ): Effect.Effect<
      Stream.Stream<string, StorageError>,
      NotFound | StorageError,
      CurrentPrincipal
    >;
    /** Drops the logs of the runs that ended first, until all have at most `CoreOptions.logBytes`. */
    readonly keepWithinBytes: Effect.Effect<void, StorageError>;
    /** Removes logs of runs that ended `CoreOptions.logDays` ago, at most 20, and returns how many. */
    readonly prune: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/runs/RunLogs") {
  static readonly layerNoDeps = Layer.effect(
    RunLogs,
    Effect.gen(function* () {
      const runs = yield* RunStore;
      const store = yield* RunLogStore;
      const tail = yield* LogTail;
      const { valuesOf } = yield* AgentSecrets;
      const { logDays } = yield* CoreOptions;
      const { afterCommit, transact } = yield* Transactor;
      const writing = yield* LogWriting.make;
      const limits = yield* LogLimits.make;
      const reading = yield* LogReading.make;
      const decode = Input.decoder(LogEntries);

      /** The agent's run, if the principal may see it. */
      const visible = Effect.fnUntraced(function* (agentId: string, runId: string) {
        const principal = yield* Principal.CurrentPrincipal;
        const stored = Option.getOrNull(yield* runs.stored(runId));
        return stored?.run.agentId === agentId && Principal.sees(principal, stored.run.projectId)
          ? stored
          : yield* new NotFound({ resource: "run", id: runId });
      });

      /** Fails unless the principal may write to the run's log now. */
      const permit = Effect.fnUntraced(function* (
        principal: Principal.Principal,
        stored: { readonly run: RunRow } & Parameters<typeof Fence.refusalOf>[0],
        now: Timestamp.Timestamp,
      ) {
        const { run } = stored;
        const acting = yield* CurrentRun;
        const isOwn = acting === null ? run.keyId === (yield* CurrentKey) : acting.id === run.id;
        if (principal.agentId !== null && !isOwn)
          return yield* new Forbidden({ requiredRole: null });
        const reason = Fence.refusalOf(stored, "log", now);
        if (reason !== null) return yield* new RunEnded({ runId: run.id, reason });
      });

      const append = Span.fn("RunLogs.append")(function* (
        agentId: string,
        runId: string,
        input: typeof LogEntries.Encoded,
      ) {
        const principal = yield* Principal.requireActingFor(agentId);
        const body = yield* decode(input);
        const bytes = body.entries.reduce((sum, { text }) => sum + LogWriting.sizeOf(text), 0);
        if (bytes > maxTextBytes) return yield* new PayloadTooLarge({ limitBytes: maxTextBytes });
        const values = yield* valuesOf(agentId);
        const forms = LogScrubber.formsOf(values.map((value) => Redacted.value(value)));
        const { added, ...appended } = yield* transact(
          Effect.gen(function* () {
            const now = yield* Timestamp.now;
            const stored = yield* visible(agentId, runId);
            yield* permit(principal, stored, now);
            const written = yield* writing.append(stored.run, body, forms, now);
            if (written.added > 0) yield* afterCommit(tail.wrote(runId));
            return written;
          }),
        );
        if (added > 0) yield* limits.count(bytes);
        return appended;
      });

      const read = Span.fn("RunLogs.read")(function* (
        agentId: string,
        runId: string,
        { waitSeconds = 0, ...query }: LogQuery = {},
      ) {
        if (!(waitSeconds >= 0 && waitSeconds <= 55)) {
          return yield* InvalidRequest.at("waitSeconds", "must be 0 to 55");
        }
        const { limit = 1 } = query;
        if (!Number.isInteger(limit) || limit < 1 || limit > 5_000) {
          return yield* InvalidRequest.at("limit", "must be a whole number from 1 to 5,000");
        }
        const until = (yield* Clock.currentTimeMillis) + waitSeconds * 1_000;
        const page = Effect.gen(function* () {
          const { run } = yield* visible(agentId, runId);
          const ended = !isLive(run, yield* Timestamp.now);
          return { ...(yield* reading.page(runId, query)), ended };
        });
        return yield* Effect.scoped(
          Effect.gen(function* () {
            const listener = waitSeconds > 0 ? yield* tail.listen(runId) : null;
            for (;;) {
              const found = yield* page;
              const left = until - (yield* Clock.currentTimeMillis);
              if (listener === null || found.entries.length > 0 || found.ended || left <= 0) {
                return found;
              }
              // The end of a run does not ring the bell.
              yield* listener.wait(Math.min(left, 1_000));
            }
          }),
        );
      });

      const text = Span.fn("RunLogs.text")(function* (
        agentId: string,
        runId: string,
        query: Pick<LogQuery, "after" | "stream" | "writer"> = {},
      ) {
        yield* visible(agentId, runId);
        return reading.text(runId, query);
      });

      const prune = Effect.flatMap(Timestamp.now, (now) =>
        transact(store.prune(Timestamp.addSeconds(now, -logDays * 86_400), 20)),
      );

      return RunLogs.of({ append, read, text, keepWithinBytes: limits.keepWithin, prune });
    }),
  );
}
