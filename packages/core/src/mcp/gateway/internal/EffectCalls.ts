import { Context, Data, Effect, Layer, Option } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import type { RunRow } from "../../../agents/Run.ts";
import { IdempotencyMismatch, type StorageError } from "../../../CommonErrors.ts";
import { decide } from "../../../effects/EffectDecision.ts";
import { type EffectSlot, mayEnd } from "../../../effects/EffectSlot.ts";
import { EffectStore } from "../../../effects/EffectStore.ts";
import * as Id from "../../../Id.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { ToolResult } from "../../McpConnector.ts";
import type { ToolUnavailable } from "../../McpErrors.ts";
import type { CallInFlight } from "./CallInFlight.ts";
import type { StartedCall } from "./CallRecords.ts";
import type { EffectKey } from "./EffectKey.ts";
import * as EffectKeys from "./EffectKeys.ts";
import * as EffectReplay from "./EffectReplay.ts";
import * as EffectResults from "./EffectResults.ts";
import * as IdempotencyKeys from "./IdempotencyKeys.ts";

/** An equal effect was stored since the call was judged. The call has to be judged again. */
export class EffectHeld extends Data.TaggedError("EffectHeld")<Record<never, never>> {}

/** The judgment of an effect: a result without a call; null for a call that may be sent. */
export type Judged = ToolResult | "inFlight" | null;

/** Decides on calls that happen once, in the transaction of their admission, and stores how they end. */
export class EffectCalls extends Context.Service<
  EffectCalls,
  {
    /** The key of a call, by its server's settings. */
    keyOf(call: CallInFlight): Effect.Effect<EffectKey>;
    /**
     * Judges a call of a live run. Returns the recorded result of an equal effect, `inFlight` while one is in
     * flight, and null if the call may be sent.
     */
    judge(
      call: CallInFlight,
      run: RunRow,
    ): Effect.Effect<Judged, IdempotencyMismatch | StorageError | ToolUnavailable>;
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
    /** Stores that the run received the response. */
    delivered(call: CallInFlight): Effect.Effect<void>;
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

      /** The slots of equal effects, and the decision by them. */
      const ask = Effect.fnUntraced(function* (key: EffectKey, run: RunRow) {
        const issue = Option.getOrNull(yield* store.issue(run.issueId));
        const slots = yield* store.equal(run.issueId, key.identity);
        const now = yield* Timestamp.now;
        const cycle = issue?.cycle ?? 1;
        const asked = { runId: run.id, cycle, resumedAt: null, name: key.name };
        const decision = decide(slots, { ...asked, arguments: key.arguments }, now);
        return { issue, slots, cycle, now, decision };
      });

      const judge: EffectCalls["Service"]["judge"] = Effect.fnUntraced(function* (call, run) {
        if (call.effect === null) return null;
        const { decision } = yield* ask(call.effect, run);
        if (decision.kind === "sendNew" || decision.kind === "sendAgain") return null;
        const { slot } = decision;
        if (decision.kind === "mismatch") {
          return yield* new IdempotencyMismatch({});
        }
        if (decision.kind === "unknown") return yield* EffectReplay.unknown(slot);
        call.waitsSince = slot.sentAt;
        if (decision.kind === "wait") return "inFlight";
        call.replayed(slot.callId);
        return EffectReplay.of(slot, yield* recorded(slot), call.tool?.definition ?? null);
      });

      const admit: EffectCalls["Service"]["admit"] = Effect.fnUntraced(
        function* (call, run, until) {
          if (call.effect === null) return;
          const { cycle, decision, issue, now, slots } = yield* ask(call.effect, run);
          if (slots.some(({ callId, state }) => callId === call.id && state === "sent")) {
            yield* store.extend([call.id], until);
            return;
          }
          if (decision.kind !== "sendNew" && decision.kind !== "sendAgain") {
            return yield* new EffectHeld();
          }
          const { server, tool } = call.target;
          const slot: EffectSlot = {
            ...call.effect,
            issueId: run.issueId,
            cycle,
            n: decision.kind === "sendNew" ? decision.n : decision.slot.n,
            callId: call.id,
            runId: run.id,
            serverId: server?.id ?? "",
            server: server?.name ?? "",
            tool,
            state: "sent",
            sentAt: now,
            endedAt: null,
            until,
            node,
            delivered: [],
            settled: null,
            result: null,
            summary: null,
          };
          const salt = issue?.salt ?? Hex.encode(yield* random.randomBytes(32));
          if (issue === null) yield* store.putIssue({ issueId: run.issueId, cycle, salt });
          call.place = { issueId: run.issueId, cycle, identity: slot.identity, n: slot.n, salt };
          yield* decision.kind === "sendNew"
            ? store.insert(slot)
            : store.replace(decision.slot.callId, slot);
        },
      );

      const idempotencyKey: EffectCalls["Service"]["idempotencyKey"] = ({ place }) =>
        place === null ? Effect.succeed(null) : idempotencyKeyOf(place);

      const stored = (what: string) =>
        Effect.catch((error: StorageError) => Effect.logError(`${what} was not stored`, error));

      const ended: EffectCalls["Service"]["ended"] = Effect.fnUntraced(function* (call, result) {
        if (call.effect === null || call.isReplay) return;
        const isDone = call.end === "done" && result !== null;
        const text = isDone ? yield* sealed(call, result) : null;
        const summary = result === null ? null : EffectReplay.textOf(result).slice(0, 200);
        yield* transactRelaxed(
          Effect.gen(function* () {
            const slot = Option.getOrNull(yield* store.get(call.id));
            if (slot === null || !mayEnd(slot)) return;
            const endedAt = yield* Timestamp.now;
            yield* store.replace(call.id, {
              ...slot,
              state: call.end,
              endedAt,
              result: text,
              summary,
            });
          }),
        ).pipe(stored("The end of an effect"));
      });

      const delivered: EffectCalls["Service"]["delivered"] = Effect.fnUntraced(function* (call) {
        // A lost reply tells nothing, even if the effect was settled before this.
        if (call.end !== "done" && !call.isReplay) return;
        if (call.effect === null || call.runId === null) return;
        const { runId, slotCallId } = call;
        yield* transactRelaxed(
          Effect.gen(function* () {
            const slot = Option.getOrNull(yield* store.get(slotCallId));
            if (slot?.state !== "done") return;
            const at = yield* Timestamp.now;
            const others = slot.delivered.filter((to) => to.runId !== runId);
            yield* store.replace(slotCallId, { ...slot, delivered: [...others, { runId, at }] });
          }),
        ).pipe(stored("The delivery of an effect"));
      });

      return EffectCalls.of({ keyOf, judge, admit, idempotencyKey, ended, delivered });
    }),
  );
}
