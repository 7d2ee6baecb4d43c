import { Context, Data, Effect, type Exit, Layer, Option } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import type { RunRow } from "../../../agents/Run.ts";
import { IdempotencyMismatch, type StorageError } from "../../../CommonErrors.ts";
import { type Decision, decide } from "../../../effects/EffectDecision.ts";
import * as EffectEvents from "../../../effects/EffectEvents.ts";
import { type EffectSlot, mayEnd } from "../../../effects/EffectSlot.ts";
import { EffectStore } from "../../../effects/EffectStore.ts";
import * as Id from "../../../Id.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { ToolResult } from "../../McpConnector.ts";
import type { ToolUnavailable } from "../../McpErrors.ts";
import type { CallInFlight } from "./CallInFlight.ts";
import type { StartedCall } from "./CallRecords.ts";
import * as EffectDeliveries from "./EffectDeliveries.ts";
import { EffectInFlight } from "./EffectInFlight.ts";
import * as EffectKeys from "./EffectKeys.ts";
import * as EffectReplay from "./EffectReplay.ts";
import * as EffectResults from "./EffectResults.ts";
import * as IdempotencyKeys from "./IdempotencyKeys.ts";

/** An equal effect was stored since the call was judged. The call has to be judged again. */
export class EffectHeld extends Data.TaggedError("EffectHeld")<Record<never, never>> {}

/** An equal effect is in flight, or its response is. */
export interface Wait {
  readonly since: Timestamp.Timestamp;
  /** Completes when the equal effect is settled; null if this node does not hold it. */
  readonly settled: Effect.Effect<void> | null;
}

/**
 * The judgment of an effect: the result without a call, the equal effect that it waits for, or null for a call
 * that may be sent.
 */
export type Judgment =
  | { readonly result: ToolResult; readonly wait: null }
  | { readonly result: null; readonly wait: Wait }
  | null;

/** Decides on calls that happen once, in the transaction of their admission, and stores how they end. */
export class EffectCalls extends Context.Service<
  EffectCalls,
  {
    /** Returns the effect that a call of a live run is, with its key by the settings of its server. */
    start(call: CallInFlight, runId: string): Effect.Effect<EffectInFlight>;
    /** Decides on an effect. `renewed` renews the lease of its run in the same transaction. */
    judge(
      call: CallInFlight,
      effect: EffectInFlight,
      renewed: Effect.Effect<RunRow, StorageError | ToolUnavailable>,
    ): Effect.Effect<Judgment, IdempotencyMismatch | StorageError | ToolUnavailable>;
    /** Inside the transaction of an admission, stores the effect as sent. */
    admit(
      call: StartedCall,
      run: RunRow,
      until: Timestamp.Timestamp,
    ): Effect.Effect<void, EffectHeld | StorageError>;
    /** The `idempotencyKey` of an effect that was admitted; null for other calls. */
    idempotencyKey(call: CallInFlight): Effect.Effect<string | null>;
    /** Stores the end of an effect that was admitted. */
    ended(call: CallInFlight, result: ToolResult | null): Effect.Effect<void>;
    /** Hands the end of a call to its caller: see `EffectDeliveries`. */
    handOver(call: CallInFlight, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void>;
  }
>()("@quartermaster/core/mcp/gateway/internal/EffectCalls") {
  static readonly layer = Layer.effect(
    EffectCalls,
    Effect.gen(function* () {
      const store = yield* EffectStore;
      const keyOf = yield* EffectKeys.make;
      const idempotencyKeyOf = yield* IdempotencyKeys.make;
      const { recorded, sealed } = yield* EffectResults.make;
      const random = yield* SecureRandom.SecureRandom;
      const newId = yield* Id.generator;
      const { transactRelaxed } = yield* Transactor;
      const node = yield* newId("call");
      const deliveries = yield* EffectDeliveries.make;
      const report = yield* EffectEvents.make;

      const start: EffectCalls["Service"]["start"] = Effect.fnUntraced(function* (call, runId) {
        const key = yield* keyOf(call);
        call.effect ??= new EffectInFlight(call.id, runId, key);
        call.effect.key = key;
        deliveries.begin(call.effect);
        return call.effect;
      });

      /** The slots of equal effects, and the decision by them. */
      const ask = Effect.fnUntraced(function* ({ key }: EffectInFlight, run: RunRow) {
        const issue = Option.getOrNull(yield* store.issue(run.issueId));
        const slots = yield* store.equal(run.issueId, key.identity);
        const now = yield* Timestamp.now;
        const cycle = issue?.cycle ?? 1;
        const asked = { runId: run.id, cycle, resumedAt: run.resumedAt, name: key.name };
        const decision = decide(slots, { ...asked, arguments: key.arguments }, now);
        return { issue, slots, cycle, now, decision };
      });

      /** The equal effect that has to be settled before the decision holds; null for none. */
      const waitOf = (effect: EffectInFlight, decision: Decision): Wait | null => {
        if (decision.kind !== "wait" && decision.kind !== "replay") return null;
        const other = deliveries.holder(effect, decision.slot.callId);
        const isHeld =
          decision.kind === "wait" || (effect.key.name === null && other !== undefined);
        return isHeld ? { since: decision.slot.sentAt, settled: other?.settled ?? null } : null;
      };

      const judge: EffectCalls["Service"]["judge"] = Effect.fnUntraced(
        function* (call, effect, renewed) {
          const decision = yield* transactRelaxed(
            Effect.gen(function* () {
              const { decision } = yield* ask(effect, yield* renewed);
              const wait = waitOf(effect, decision);
              if (wait !== null) return { kind: "held", wait } as const;
              // Set here, so that no equal call is judged in between.
              effect.replays = decision.kind === "replay" ? decision.slot.callId : null;
              return decision;
            }),
          );
          if (decision.kind === "held") return { result: null, wait: decision.wait };
          if (decision.kind === "mismatch") return yield* new IdempotencyMismatch({});
          if (decision.kind === "unknown") return yield* EffectReplay.unknown(decision.slot);
          if (decision.kind !== "replay") return null;
          const { slot } = decision;
          const definition = call.tool?.definition ?? null;
          return { result: EffectReplay.of(slot, yield* recorded(slot), definition), wait: null };
        },
      );

      const admit: EffectCalls["Service"]["admit"] = Effect.fnUntraced(
        function* (call, run, until) {
          const { effect } = call;
          if (effect === null) return;
          const { cycle, decision, issue, now, slots } = yield* ask(effect, run);
          if (slots.some(({ callId, state }) => callId === call.id && state === "sent")) {
            yield* store.extend([call.id], until);
            return;
          }
          if (decision.kind !== "sendNew" && decision.kind !== "sendAgain") {
            return yield* new EffectHeld();
          }
          const n = decision.kind === "sendNew" ? decision.n : decision.slot.n;
          const slot = sentSlot(call, effect, run, { cycle, n, node, until, sentAt: now });
          const salt = issue?.salt ?? Hex.encode(yield* random.randomBytes(32));
          if (issue === null) yield* store.putIssue({ issueId: run.issueId, cycle, salt });
          effect.place = { issueId: run.issueId, cycle, identity: slot.identity, n, salt };
          yield* decision.kind === "sendNew"
            ? store.insert(slot)
            : store.replace(decision.slot.callId, slot);
          yield* report("issue.effectSent", slot, run.projectId, agentOf(call));
        },
      );

      const idempotencyKey: EffectCalls["Service"]["idempotencyKey"] = ({ effect }) =>
        effect?.place == null ? Effect.succeed(null) : idempotencyKeyOf(effect.place);

      const ended: EffectCalls["Service"]["ended"] = Effect.fnUntraced(function* (call, returned) {
        const { effect } = call;
        if (effect?.place == null) return;
        const { end, result } = effect;
        const kept = result ?? returned;
        // Also of a failed effect: what has a summary is removed with its server.
        const text = kept && (yield* sealed(call, kept));
        const summary = kept && EffectReplay.textOf(kept).slice(0, 200);
        yield* transactRelaxed(
          Effect.gen(function* () {
            const slot = Option.getOrNull(yield* store.get(call.id));
            if (slot === null || !mayEnd(slot)) return;
            const endedAt = yield* Timestamp.now;
            const stored = { ...slot, state: end, endedAt, result: text, summary };
            yield* store.replace(call.id, stored);
            const projectId = call.admitted?.projectId ?? null;
            yield* report("issue.effectEnded", stored, projectId, agentOf(call));
          }),
        ).pipe(
          Effect.catch((error) => Effect.logError("The end of an effect was not stored", error)),
        );
      });

      const handOver: EffectCalls["Service"]["handOver"] = ({ effect }, exit) =>
        effect === null ? Effect.void : deliveries.handOver(effect, exit);

      return EffectCalls.of({ start, judge, admit, idempotencyKey, ended, handOver });
    }),
  );
}

const agentOf = ({ agentId }: StartedCall) => ({ type: "Agent" as const, id: agentId });

const sentSlot = (
  { id, target: { server, tool } }: StartedCall,
  { key }: EffectInFlight,
  run: RunRow,
  sent: Pick<EffectSlot, "cycle" | "n" | "node" | "sentAt" | "until">,
): EffectSlot => ({
  ...key,
  ...sent,
  issueId: run.issueId,
  callId: id,
  runId: run.id,
  serverId: server?.id ?? "",
  server: server?.name ?? "",
  tool,
  state: "sent",
  endedAt: null,
  delivered: [],
  settled: null,
  result: null,
  summary: null,
});
