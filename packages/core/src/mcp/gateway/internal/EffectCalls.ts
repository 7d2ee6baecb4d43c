import { Context, Data, Effect, type Exit, Layer, Option } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import type { RunRow } from "../../../agents/Run.ts";
import { IdempotencyMismatch, type StorageError } from "../../../CommonErrors.ts";
import { type Decision, decide } from "../../../effects/EffectDecision.ts";
import * as EffectEvents from "../../../effects/EffectEvents.ts";
import {
  deliveringTo,
  earlierThanNext,
  type EffectSlot,
  type SlotEnd,
  summaryOf,
} from "../../../effects/EffectSlot.ts";
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
    /** Decides on an effect of a live run. `renewed` renews its lease in the same transaction. */
    judge(
      call: CallInFlight,
      effect: EffectInFlight,
      run: RunRow,
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
      const { afterCommit, transactRelaxed } = yield* Transactor;
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

      /** Decides again, and stores that the result of a replay is on its way to the run. */
      const decideAgain = Effect.fnUntraced(function* (
        effect: EffectInFlight,
        renewed: Effect.Effect<RunRow, StorageError | ToolUnavailable>,
      ) {
        const { decision, now } = yield* ask(effect, yield* renewed);
        const replays = decision.kind === "replay" ? decision.slot.callId : null;
        yield* afterCommit(Effect.sync(() => (effect.replays = replays)));
        if (decision.kind !== "replay") return decision;
        const { slot } = decision;
        if (effect.key.name === null) {
          const delivering = deliveringTo(effect.runId, now);
          yield* store.replace(slot.callId, { ...slot, delivering });
        }
        return decision;
      });

      const judge: EffectCalls["Service"]["judge"] = Effect.fnUntraced(
        function* (call, effect, run, renewed) {
          // The admission decides again on a call that may be sent.
          const equal = yield* store.equal(run.issueId, effect.key.identity);
          if (equal.length === 0) return null;
          const first = yield* ask(effect, run);
          if (isSend(first.decision)) return null;
          const decision = yield* transactRelaxed(decideAgain(effect, renewed));
          if (isSend(decision)) return null;
          if (decision.kind === "wait") {
            const { callId, sentAt } = decision.slot;
            const settled = deliveries.holder(effect, callId)?.settled ?? null;
            return { result: null, wait: { since: sentAt, settled } };
          }
          if (decision.kind === "mismatch") return yield* new IdempotencyMismatch({});
          if (decision.kind === "unknown") return yield* EffectReplay.unknown(decision.slot);
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
          if (!isSend(decision)) return yield* new EffectHeld();
          const place =
            decision.kind === "sendNew"
              ? { n: decision.n, earlier: [] }
              : { n: decision.slot.n, earlier: earlierThanNext(decision.slot) };
          const slot = sentSlot(call, effect, run, { ...place, cycle, node, until, sentAt: now });
          const salt = issue?.salt ?? Hex.encode(yield* random.randomBytes(32));
          if (issue === null) yield* store.putIssue({ issueId: run.issueId, cycle, salt });
          const { identity, n } = slot;
          const stored = { issueId: run.issueId, cycle, identity, n, salt };
          yield* afterCommit(Effect.sync(() => (effect.place = stored)));
          yield* decision.kind === "sendNew"
            ? store.insert(slot)
            : store.replace(decision.slot.callId, slot);
          yield* report("issue.effectSent", slot, run.projectId, agentOf(call));
        },
      );

      const idempotencyKey: EffectCalls["Service"]["idempotencyKey"] = ({ effect }) =>
        effect?.place == null ? Effect.succeed(null) : idempotencyKeyOf(effect.place);

      const storeEnd = Effect.fnUntraced(function* (
        call: CallInFlight,
        { end, key, rest, runId }: EffectInFlight,
        issueId: string,
        last: Pick<SlotEnd, "result" | "summary">,
      ) {
        const endedAt = yield* Timestamp.now;
        // Named effects are replayed in any case, and a caller that hung up gets no response.
        const isAwaited = end === "done" && key.name === null && rest === null;
        const delivering = isAwaited ? deliveringTo(runId, endedAt) : null;
        if (!(yield* store.end(call.id, { ...last, state: end, endedAt, delivering }))) return;
        const slot = { ...placeOf(call), issueId, runId, state: end };
        yield* report("issue.effectEnded", slot, call.admitted?.projectId ?? null, agentOf(call));
      });

      const ended: EffectCalls["Service"]["ended"] = Effect.fnUntraced(function* (call, returned) {
        const { effect } = call;
        if (effect?.place == null) return;
        const { place, result } = effect;
        const last = result ?? returned;
        // Also of a failed effect: what has a summary is removed with its server.
        const text = last && (yield* sealed(call, last));
        const summary = last && summaryOf(EffectReplay.textOf(last));
        yield* transactRelaxed(
          storeEnd(call, effect, place.issueId, { result: text, summary }),
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

const isSend = (
  decision: Decision,
): decision is Extract<Decision, { readonly kind: "sendNew" | "sendAgain" }> =>
  decision.kind === "sendNew" || decision.kind === "sendAgain";

const agentOf = ({ agentId }: StartedCall) => ({ type: "Agent" as const, id: agentId });

const placeOf = ({ id, target: { server, tool } }: StartedCall) => ({
  callId: id,
  serverId: server?.id ?? "",
  server: server?.name ?? "",
  tool,
});

const sentSlot = (
  call: StartedCall,
  { key }: EffectInFlight,
  run: RunRow,
  sent: Pick<EffectSlot, "cycle" | "earlier" | "n" | "node" | "sentAt" | "until">,
): EffectSlot => ({
  ...key,
  ...sent,
  ...placeOf(call),
  issueId: run.issueId,
  runId: run.id,
  state: "sent",
  endedAt: null,
  delivered: [],
  delivering: null,
  settled: null,
  result: null,
  summary: null,
});
