import { Context, Effect, Layer, Option, Metric } from "effect";
import type { Forbidden } from "../../access/AccessErrors.ts";
import * as Principal from "../../access/Principal.ts";
import { Agents } from "../../agents/Agents.ts";
import { AgentStore } from "../../agents/AgentStore.ts";
import { isLive, type RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import type { InvalidRequest, LimitExceeded, NotFound, StorageError } from "../../CommonErrors.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import { LeaseExpiry } from "../../issues/LeaseExpiry.ts";
import * as Timestamp from "../../Timestamp.ts";
import { Transactor } from "../../Transactor.ts";
import { AgentTools } from "../AgentTools.ts";
import { Heartbeat, type HeartbeatAnswer } from "../Heartbeat.ts";
import { Claims } from "./Claims.ts";
import * as HaltedRunner from "./HaltedRunner.ts";
import * as RunMetrics from "./RunMetrics.ts";
import * as RunNotes from "./RunNotes.ts";

type Stop = HeartbeatAnswer["stop"][number];

/** A heartbeat that was checked outside of its transaction. */
interface Beat {
  readonly agentId: string;
  readonly capacity: number;
  readonly halted: Parameters<Effect.Success<typeof HaltedRunner.make>>[1];
  readonly leaseSeconds: number;
  readonly named: ReadonlyArray<{ readonly runId: string }>;
  readonly noted: ReadonlyArray<{ readonly runId: string; readonly note: string }>;
}

/**
 * Agents whose last heartbeat without runs claimed an issue. The next one most often claims again, so it does not
 * look first whether there is nothing to do: one statement of 9.5, and one round trip of 3.5.
 */
const mostClaiming = 10_000;

const nothing: Pick<HeartbeatAnswer, "started" | "renewed" | "stop"> = {
  started: [],
  renewed: [],
  stop: [],
};

/** A heartbeat: one transaction that ends, reports and renews the agent's runs, then claims issues. */
export class Heartbeats extends Context.Service<
  Heartbeats,
  {
    heartbeat(
      agentId: string,
      input?: typeof Heartbeat.Encoded,
    ): Effect.Effect<
      HeartbeatAnswer,
      Forbidden | NotFound | InvalidRequest | LimitExceeded | StorageError,
      Principal.CurrentPrincipal
    >;
  }
>()("@quartermaster/core/runs/internal/Heartbeats") {
  static readonly layerNoDeps = Layer.effect(
    Heartbeats,
    Effect.gen(function* () {
      const store = yield* RunStore;
      const agents = yield* Agents;
      const agentStore = yield* AgentStore;
      const tools = yield* AgentTools;
      const claims = yield* Claims;
      const expiry = yield* LeaseExpiry;
      const { transact } = yield* Transactor;
      const halt = yield* HaltedRunner.make;
      const notes = yield* RunNotes.make;
      const decode = Input.decoder(Heartbeat);
      const claiming = new Set<string>();
      const note = (agentId: string, hasClaimed: boolean): void => {
        if (claiming.size >= mostClaiming) claiming.clear();
        if (hasClaimed) claiming.add(agentId);
        else claiming.delete(agentId);
      };

      /**
       * Ends the agent's runs with an expired lease, and renews the runs in `runIds`. Returns the
       * renewed runs, and the runs that the agent has to stop.
       */
      const renew = Effect.fnUntraced(function* (
        agentId: string,
        notEnded: ReadonlyArray<RunRow>,
        runIds: ReadonlyArray<string>,
        leaseSeconds: number,
        now: Timestamp.Timestamp,
      ) {
        const principal = yield* Principal.CurrentPrincipal;
        const unknown = new Set(runIds);
        const renewed: Array<RunRow> = [];
        const shortened: Array<RunRow> = [];
        const stop: Array<Stop> = [];
        for (const run of notEnded) {
          const { id: runId, issueId } = run;
          if (!Principal.sees(principal, run.projectId)) continue;
          const isNamed = unknown.delete(runId);
          if (!isLive(run, now)) {
            yield* expiry.record(run, now);
            if (isNamed) stop.push({ runId, issueId, reason: "leaseExpired" });
          } else if (run.status === "stopping") {
            stop.push({ runId, issueId, reason: run.stopReason ?? "unknown" });
          } else if (isNamed) {
            const leaseExpiresAt = Timestamp.addSeconds(now, leaseSeconds);
            renewed.push({ ...run, leaseSeconds, leaseExpiresAt });
            continue;
          }
          // Only a clock that was ahead can have granted more than `leaseSeconds` from now.
          const latest = Timestamp.addSeconds(now, run.leaseSeconds);
          if (run.leaseExpiresAt > latest) shortened.push({ ...run, leaseExpiresAt: latest });
        }
        yield* store.update([...renewed, ...shortened]);
        for (const runId of unknown) {
          const run = Option.getOrNull(yield* store.get(runId));
          stop.push(
            run?.agentId === agentId && Principal.sees(principal, run.projectId)
              ? { runId, issueId: run.issueId, reason: run.stopReason ?? "unknown" }
              : { runId, issueId: null, reason: "unknown" },
          );
        }
        return { renewed, stop };
      });

      const beat = Effect.fnUntraced(function* (request: Beat) {
        const { agentId, capacity, halted, leaseSeconds, named, noted } = request;
        const now = yield* Timestamp.now;
        // The read is first: storage may send it together with the start of the transaction.
        const notEnded = yield* store.notEnded(agentId);
        const claim = { agentId, leaseSeconds, worker: null };
        // Only the end of a run and a halt change which issues the agent may claim.
        const isFree = halted === null && notEnded.every((run) => isLive(run, now));
        const { first, wasHalted } = yield* claims.beat(isFree ? capacity : 0, claim, now);
        yield* halt(agentId, halted, wasHalted, now);
        const { renewed, stop } = yield* renew(
          agentId,
          notEnded,
          named.map(({ runId }) => runId),
          leaseSeconds,
          now,
        );
        for (const { note, runId } of noted) {
          if (yield* notes.mayHave(agentId, runId, now)) yield* notes.put(runId, note, now);
        }
        return {
          agentId,
          started: yield* claims.upTo(capacity, claim, now, first),
          renewed: renewed.map((run) => ({
            runId: run.id,
            leaseExpiresAt: run.leaseExpiresAt,
          })),
          stop,
        };
      });

      const heartbeat = Span.fn("Runs.heartbeat")(function* (
        id: string,
        input: typeof Heartbeat.Encoded = {},
      ) {
        yield* Principal.requireActingFor(id);
        const body = yield* decode(input);
        const agentId = yield* agents.admit(id);
        const leaseSeconds = body.leaseSeconds ?? 300;
        const capacity = body.capacity ?? 1;
        const named = (body.runs ?? []).map((run) =>
          typeof run === "string" ? { runId: run } : run,
        );
        const noted = yield* Effect.forEach(named, ({ note, runId }) =>
          note == null
            ? Effect.succeed([])
            : Effect.map(notes.scrubbed(agentId, note), (text) => [{ runId, note: text }]),
        );
        const { projects } = yield* Principal.CurrentPrincipal;
        const isPlain = named.length === 0 && body.halted == null;
        const isIdle =
          isPlain &&
          !claiming.has(agentId) &&
          (yield* agentStore.idleHeartbeat(agentId, projects, yield* Timestamp.now));
        const { halted = null } = body;
        const beats = { agentId, capacity, halted, leaseSeconds, named, noted: noted.flat() };
        const answer = isIdle ? { agentId, ...nothing } : yield* transact(beat(beats));
        if (isPlain) note(agentId, answer.started.length > 0);
        yield* Metric.update(RunMetrics.heartbeats, 1);
        if (answer.started.length > 0) {
          yield* Metric.update(RunMetrics.claims, answer.started.length);
        }
        return { ...answer, toolsRevision: yield* tools.revision(agentId) };
      });

      return Heartbeats.of({ heartbeat });
    }),
  );
}
