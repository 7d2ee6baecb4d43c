import { Context, type Effect } from "effect";
import type { StorageError } from "./CommonErrors.ts";

/**
 * Port of the storage: runs a change, such as "resolve the issue", as one transaction.
 *
 * A change may rely on the following:
 *
 * - The storage commits all of the change or nothing.
 * - The change reads one state of the database, plus its own writes. No other reader sees its writes
 *   before the commit.
 * - A row that the change read and writes has not been changed by others in between.
 * - Of the rows that the change read and does not write, only these facts still hold at commit:
 *   the blockers and dependents of the issues it moved (`IssueStore.facts`, `dependents`), that
 *   there is no chain of `Blocks` links (`LinkStore.path`), that an issue has no run
 *   (`RunStore.ofIssue`), that a unique name, external reference, link or idempotency key is not
 *   taken, how many Owner keys there are (`KeyStore.owners`), that a session stands, that no
 *   secret is sealed under another key (`McpServerStore.secretsNotUnder`), the slots of an effect
 *   (`EffectStore.equal`), the status and the open questions of the issue of a new question
 *   (`QuestionStore.insert`), that the agent to which an issue is assigned is registered, that the
 *   project of a new issue exists (`ProjectStore.hold`), the calls
 *   in flight and the pauses of project and agent at the start of a run (`RunStore.insert`), and
 *   the runs of the issue of an admitted call (`ToolCallStore.admit`, `extend`). Lists and limits
 *   of numbers may have changed.
 *
 * The storage may run a change **more than once**, each time from its start and against a newer
 * state, for example after another node won a race. So a change
 *
 * - acts only through ports, through `afterCommit`, and on values that it creates itself. It does not
 *   assign to a variable, collection or `Ref` from outside.
 * - may be slow to repeat, but never unsafe to repeat: requests to other systems go before or after
 *   the transaction.
 *
 * Changes that lock the same rows in different orders wait for each other until the storage ends one
 * of them. So a change writes an issue before the run, the questions and the effects of the issue, and
 * a blocker before its dependents. Comments, questions, links and entries on the timeline lock their
 * issues.
 *
 * `MemoryStorage.layerRerun` of `@quartermaster/testing` runs every change twice and checks the order
 * of its locks, so that tests find a change that breaks this.
 */
export class Transactor extends Context.Service<
  Transactor,
  {
    /**
     * Runs `change` in a transaction. Commits if it succeeds, and rolls back if it fails, dies or
     * is interrupted. Inside another transaction it joins that one: it rolls back on its own, but
     * commits and reruns with the outermost transaction. A store that writes outside a transaction
     * dies.
     */
    readonly transact: <A, E, R>(
      change: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E | StorageError, R>;
    /**
     * Like `transact`, but the change need not survive a power failure. When it returns, every node
     * sees the change, and it survives a crash of the process. It is lost only together with all
     * later changes: a later change of `transact` also makes it durable. Inside another transaction
     * it is as durable as that one.
     */
    readonly transactRelaxed: <A, E, R>(
      change: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E | StorageError, R>;
    /**
     * Runs `effect` once, after the outermost transaction commits. If it rolls back, `effect` does
     * not run. Outside a transaction, runs it immediately.
     */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>;
    /** Stores a change that no reader sees. Fails if storage cannot store changes now. */
    readonly check: Effect.Effect<void, StorageError>;
  }
>()("@quartermaster/core/Transactor") {}
