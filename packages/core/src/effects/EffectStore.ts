import { Context, type Effect, type Option } from "effect";
import type { StorageError } from "../CommonErrors.ts";
import type { Timestamp } from "../Timestamp.ts";
import type { EffectSlot, SlotEnd } from "./EffectSlot.ts";

/** The state of an issue that has or had effects. */
export interface EffectIssue {
  readonly issueId: string;
  /** The cycle of new effects, from 1. */
  readonly cycle: number;
  /** Random text: the key of the HMAC that makes an effect's `idempotencyKey`. */
  readonly salt: string;
}

/**
 * Port: stores the effects of issues. `IssueStore.remove` also removes the effects of the issue. Writes of `sent`
 * belong in `Transactor.transact`: they have to survive a power failure before the call is sent.
 */
export class EffectStore extends Context.Service<
  EffectStore,
  {
    /** Returns the state of an issue; none before its first effect. */
    issue(issueId: string): Effect.Effect<Option.Option<EffectIssue>, StorageError>;
    /** Stores the state of an issue, or replaces it. */
    putIssue(issue: EffectIssue): Effect.Effect<void, StorageError>;
    /** Returns the slots with this identity, of all cycles: oldest cycle first, then by `n`. */
    equal(
      issueId: string,
      identity: string,
    ): Effect.Effect<ReadonlyArray<EffectSlot>, StorageError>;
    /** Returns the slot that this call sent last. */
    get(callId: string): Effect.Effect<Option.Option<EffectSlot>, StorageError>;
    /** Stores a new slot. */
    insert(slot: EffectSlot): Effect.Effect<void, StorageError>;
    /**
     * Replaces the slot whose call is `callId`, and returns whether there is one. Issue, cycle, identity and `n`
     * stay. With the same `callId`, only the fields of the end and of the delivery change.
     */
    replace(callId: string, slot: EffectSlot): Effect.Effect<boolean, StorageError>;
    /**
     * Ends the slot that this call sent last, if its end may still arrive (`EffectSlot.mayEnd`), and returns whether it
     * did. A slot whose server is no longer installed gets no result and no summary: the uninstallation wiped them.
     */
    end(callId: string, end: SlotEnd): Effect.Effect<boolean, StorageError>;
    /**
     * Stores how the delivery of a slot's response to a run ended, if the slot is `done`: see
     * `EffectSlot.deliveredTo`. Neither reads nor writes the result, which may be large.
     */
    deliver(callId: string, runId: string, at: Timestamp | null): Effect.Effect<void, StorageError>;
    /** Sets `until` of slots that are `sent`, and returns the ids of their calls. */
    extend(
      callIds: ReadonlyArray<string>,
      until: Timestamp,
    ): Effect.Effect<ReadonlyArray<string>, StorageError>;
    /** Returns the newest slots of an issue by `sentAt`, newest first, at most `limit`. */
    list(issueId: string, limit: number): Effect.Effect<ReadonlyArray<EffectSlot>, StorageError>;
    /** Returns slots that are `sent` and whose `until` is not after `now`, oldest `until` first. */
    overdue(now: Timestamp, limit: number): Effect.Effect<ReadonlyArray<EffectSlot>, StorageError>;
    /**
     * Returns effects with a result that is sealed under another key than this one, by call id, after
     * `afterCallId`.
     */
    notUnder(
      keyId: string,
      afterCallId: string,
      limit: number,
    ): Effect.Effect<ReadonlyArray<EffectSlot>, StorageError>;
    /** Removes the results of a server's effects, with their summaries. The rest of the slots stays. */
    wipeServer(serverId: string): Effect.Effect<void, StorageError>;
    /**
     * Removes the results, with their summaries, of at most `limit` effects whose issue was resolved or closed before `before`,
     * and returns how many.
     */
    wipeResults(before: Timestamp, limit: number): Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/effects/EffectStore") {}
