import { Context, Effect, Layer, Option } from "effect";
import { SecureRandom } from "effect/crypto";
import { Hex } from "effect/encoding";
import { Forbidden } from "../access/AccessErrors.ts";
import { IssueKeys } from "../access/IssueKeys.ts";
import * as Principal from "../access/Principal.ts";
import type { RunEnded } from "../agents/AgentErrors.ts";
import * as Fence from "../agents/Fence.ts";
import { type InvalidRequest, NotFound, type StorageError } from "../CommonErrors.ts";
import { EffectOpen, EffectSettled } from "../effects/EffectErrors.ts";
import { type EffectSlot, isCorrectable, stateAt, summaryOf } from "../effects/EffectSlot.ts";
import { EffectStore } from "../effects/EffectStore.ts";
import {
  EffectSettle,
  type IssueEffect,
  type NewestEffect,
  toEffect,
} from "../effects/IssueEffect.ts";
import * as NewestEffects from "../effects/NewestEffects.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import { IssueView } from "../issues/IssueView.ts";
import { Timeline } from "../issues/Timeline.ts";
import { McpOptions } from "../mcp/McpOptions.ts";
import { McpServerStore } from "../mcp/McpServerStore.ts";
import * as Once from "../mcp/Once.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";

type Denied = Forbidden | NotFound | StorageError;

/** The largest number of effects in a list. */
const maxListed = 1_000;

/** The refusals of an agent that may not settle an effect. */
const toPeople =
  "Only people settle calls of this server. Ask one to look whether the call happened.";
const toRun =
  "Agents settle a call by a live run of its issue. Act for that run, or leave it to a person.";

/** Fails unless the agent may settle effects of the issue. */
const judgeAgent = Effect.fnUntraced(function* (
  issueId: string,
  acting: Fence.Acting | null,
  settle: Once.Settle,
) {
  const isOwn = acting?.state === "live" && acting.run.issueId === issueId;
  if (isOwn && settle !== "person") return;
  const explanation = settle === "person" ? toPeople : toRun;
  return yield* new Forbidden({ requiredRole: null, explanation });
});

/** The effects of issues: calls that happen once, and the decisions on those whose reply was lost. */
export class IssueEffects extends Context.Service<
  IssueEffects,
  {
    /** Returns the newest 1,000 effects of an issue, newest first. */
    list(
      issueId: string,
    ): Effect.Effect<
      ReadonlyArray<IssueEffect>,
      NotFound | StorageError,
      Principal.CurrentPrincipal
    >;
    /** Returns the newest 50 effects of an issue, newest first, for an agent that works on it. */
    newest(
      issueId: string,
    ): Effect.Effect<
      ReadonlyArray<NewestEffect>,
      NotFound | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Settles an effect whose reply was lost. `happened` makes it `done`, with the note as its result; otherwise an
     * equal call is sent again. An agent needs a live run of the issue, and a server that lets agents settle. A person
     * may correct a settlement until a call has used it.
     *
     * Fails with `EffectOpen` while the server may still carry the call out, and `EffectSettled` if its end is known.
     */
    settle(
      issueId: string,
      callId: string,
      input: typeof EffectSettle.Encoded,
    ): Effect.Effect<
      IssueEffect,
      Denied | EffectOpen | EffectSettled | InvalidRequest | RunEnded,
      Principal.CurrentPrincipal
    >;
    /**
     * Starts a new cycle: equal calls are sent again. Effects that are in flight or unknown stay in the way.
     * `Forbidden` for agents.
     */
    reset(issueId: string): Effect.Effect<void, Denied | RunEnded, Principal.CurrentPrincipal>;
  }
>()("@quartermaster/core/runs/IssueEffects") {
  static readonly layer = Layer.effect(
    IssueEffects,
    Effect.gen(function* () {
      const store = yield* EffectStore;
      const servers = yield* McpServerStore;
      const view = yield* IssueView;
      const timeline = yield* Timeline;
      const fence = yield* Fence.make;
      const { transact } = yield* Transactor;
      const { taken } = yield* IssueKeys;
      const { toolSeconds } = yield* McpOptions;
      const decode = Input.decoder(EffectSettle);
      const random = yield* SecureRandom.SecureRandom;
      const newestOf = yield* NewestEffects.make;

      const list = Span.fn("IssueEffects.list")(function* (issueId: string) {
        yield* view.row(issueId);
        const now = yield* Timestamp.now;
        return (yield* store.list(issueId, maxListed)).map((slot) => toEffect(slot, now));
      });

      const newest = Span.fn("IssueEffects.newest")(function* (issueId: string) {
        yield* view.row(issueId);
        return yield* newestOf(issueId);
      });

      /** The refusal of a call that sent no effect of the issue, or failed and was sent again under another id. */
      const notOpen = Effect.fnUntraced(function* (issueId: string, callId: string) {
        const slots = yield* store.list(issueId, maxListed);
        return yield* slots.some(({ earlier }) => earlier.includes(callId))
          ? new EffectSettled({ state: "failed" })
          : new NotFound({ resource: "effect", id: callId });
      });

      /** Fails unless the effect may be settled like this now. */
      const judge = Effect.fnUntraced(function* (
        slot: EffectSlot,
        {
          happened,
          isPerson,
          seconds,
        }: {
          readonly happened: boolean;
          readonly isPerson: boolean;
          readonly seconds: number;
        },
        now: Timestamp.Timestamp,
      ) {
        const state = stateAt(slot, now);
        const isOpen = state === "unknown" || (isPerson && isCorrectable(slot));
        if (!isOpen) return yield* new EffectSettled({ state });
        const retryAt = Timestamp.addSeconds(slot.until, seconds);
        if (!happened && now < retryAt) return yield* new EffectOpen({ retryAt });
      });

      const put = Effect.fnUntraced(function* (
        issueId: string,
        callId: string,
        { happened, note }: typeof EffectSettle.Type,
        principal: Principal.Principal,
      ) {
        const acting = yield* fence("writes");
        const issue = yield* view.row(issueId);
        const slot = Option.getOrNull(yield* store.get(callId));
        if (slot?.issueId !== issueId) return yield* notOpen(issueId, callId);
        const server = Option.getOrNull(yield* servers.get(slot.serverId));
        const isPerson = principal.agentId === null;
        if (!isPerson) yield* judgeAgent(issueId, acting, (server ?? Once.defaults).settle);
        const now = yield* Timestamp.now;
        const seconds = server?.callTimeoutSeconds ?? toolSeconds;
        yield* judge(slot, { happened, isPerson, seconds }, now);
        const by = Principal.actorOf(principal);
        const settled: EffectSlot = {
          ...slot,
          state: happened ? "done" : "failed",
          endedAt: now,
          settled: { by, at: now, note },
          delivered: [],
          delivering: null,
          result: null,
          summary: summaryOf(note),
        };
        // The timeline locks the issue before its effect: see `Transactor`.
        yield* timeline.record(by, [
          { issue, kind: "effectSettled", data: { callId, happened, tool: slot.tool } },
        ]);
        yield* store.replace(callId, settled);
        return toEffect(settled, now);
      });

      const settle = Span.fn("IssueEffects.settle")(function* (
        issueId: string,
        callId: string,
        input: typeof EffectSettle.Encoded,
      ) {
        const principal = yield* Principal.require("Editor");
        const body = yield* decode(input);
        return yield* transact(put(issueId, callId, body, principal));
      });

      const reset = Span.fn("IssueEffects.reset")(function* (issueId: string) {
        const principal = yield* Principal.require("Editor");
        if (principal.agentId !== null) return yield* new Forbidden({ requiredRole: null });
        yield* transact(
          Effect.gen(function* () {
            yield* fence("writes");
            const issue = yield* view.row(issueId);
            const current = Option.getOrNull(yield* store.issue(issueId));
            const salt = current?.salt ?? Hex.encode(yield* random.randomBytes(32));
            const cycle = (current?.cycle ?? 1) + 1;
            yield* timeline.record(Principal.actorOf(principal), [
              { issue, kind: "effectsReset", data: { cycle } },
            ]);
            yield* store.putIssue({ issueId, cycle, salt });
          }),
        );
      });

      return IssueEffects.of({
        list: taken(list),
        newest,
        settle: taken(settle),
        reset: taken(reset),
      });
    }),
  );
}
