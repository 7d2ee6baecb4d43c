import { Effect, Option } from "effect";
import * as Principal from "../../access/Principal.ts";
import { AgentStore } from "../../agents/AgentStore.ts";
import type { RunRow } from "../../agents/Run.ts";
import { RunStore } from "../../agents/RunStore.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import * as Span from "../../internal/Span.ts";
import * as Timestamp from "../../Timestamp.ts";
import { ActivityStore } from "../ActivityStore.ts";
import { type IssueFacts, IssueStore } from "../IssueStore.ts";
import { IssueView } from "../IssueView.ts";
import { type Reason, silenceOf } from "../Readiness.ts";
import * as IssueLifecycle from "../rules/IssueLifecycle.ts";

/** The largest number of blockers and roots in a response. */
const listed = 20;

/** The largest number of issues visited on the way to the roots, with four statements each. */
const visited = 500;

/** The largest number of timeline entries read to find the last run. */
const entries = 1000;

/** Kinds of timeline entries that start or end a run. */
const runKinds = new Set(["pickedUp", "stopped", "finished", "leaseExpired"]);

/**
 * The reasons why an issue is not, or may not be, picked up: the obstacles of the claim, with
 * additional facts for people.
 */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const view = yield* IssueView;
  const activities = yield* ActivityStore;
  const agents = yield* AgentStore;
  const runs = yield* RunStore;
  const { maxAttempts } = yield* CoreOptions;

  const visibleBlockers = Effect.fnUntraced(function* ({ openBlockers }: IssueFacts) {
    const principal = yield* Principal.CurrentPrincipal;
    const seen = openBlockers.filter(({ projectId }) => Principal.sees(principal, projectId));
    const rows = yield* Effect.forEach(seen.slice(0, listed), ({ id }) => store.get(id));
    return rows.flatMap(Option.toArray);
  });

  /** The ends of the chains of open blockers: open issues that no open issue blocks. */
  const roots = Effect.fnUntraced(function* ({ openBlockers }: IssueFacts, now: string) {
    const principal = yield* Principal.CurrentPrincipal;
    const found: Array<IssueFacts["issue"]> = [];
    const queue = openBlockers.map(({ id }) => id);
    const known = new Set(queue);
    for (let next = 0; next < queue.length && found.length < listed; next++) {
      const facts = Option.getOrNull(yield* store.facts(queue[next] ?? "", now));
      if (facts === null) continue;
      const { issue } = facts;
      if (facts.openBlockers.length === 0 && Principal.sees(principal, issue.projectId)) {
        found.push(issue);
      }
      for (const { id } of facts.openBlockers) {
        if (known.has(id) || known.size >= visited) continue;
        known.add(id);
        queue.push(id);
      }
    }
    return found;
  });

  /** The issue's last run, if its lease expired and the issue is still InProgress. */
  const diedRun = Effect.fnUntraced(function* ({ expiredRun, issue, liveRun }: IssueFacts) {
    if (issue.status !== "InProgress" || liveRun !== null) return null;
    if (expiredRun !== null) return expiredRun;
    const slice = { limit: entries, order: "desc", after: null } as const;
    const timeline = yield* activities.list(issue.id, null, slice);
    const last = timeline.find(({ kind }) => runKinds.has(kind));
    if (last?.kind !== "leaseExpired") return null;
    return Option.getOrNull(yield* runs.get(String(last.data["runId"])));
  });

  const explain = Effect.fnUntraced(function* (
    reason: IssueLifecycle.Obstacle,
    facts: IssueFacts,
    now: string,
  ) {
    if (reason.code === "running" && facts.liveRun !== null) {
      return { ...reason, data: { run: runOf(facts.liveRun) } };
    }
    if (reason.code !== "blocked") return reason;
    const blockers = yield* visibleBlockers(facts);
    return {
      ...reason,
      data: { blockers: blockers.map(briefly), roots: (yield* roots(facts, now)).map(briefly) },
    };
  });

  return Span.fn("Issues.readiness")(function* (issueId: string) {
    const now = yield* Timestamp.now;
    const facts = yield* view.facts(issueId, now);
    const obstacles = IssueLifecycle.obstacles(
      IssueLifecycle.recorded(facts, maxAttempts, now),
      now,
    );
    const reasons: Array<Reason> = yield* Effect.forEach(obstacles, (reason) =>
      explain(reason, facts, now),
    );
    const died = yield* diedRun(facts);
    if (died !== null) {
      const { agentId, id, leaseExpiresAt } = died;
      reasons.push({
        code: "leaseExpired",
        detail: `The lease of the run ${id} of the agent ${agentId} expired at ${leaseExpiresAt}.`,
        data: { run: runOf(died) },
      });
    }
    const { assignedAgentId } = facts.issue;
    if (assignedAgentId !== null) {
      const agent = Option.getOrNull(yield* agents.get(assignedAgentId));
      const silence = silenceOf(assignedAgentId, agent?.lastHeartbeatAt ?? null, now);
      if (silence !== null) reasons.push(silence);
    }
    return { ready: obstacles.length === 0, reasons };
  });
});

const briefly = ({ assignedAgentId, id, status, title }: IssueFacts["issue"]) => ({
  id,
  title,
  status,
  assignedAgentId,
});

const runOf = ({ agentId, id, leaseExpiresAt, startedAt }: RunRow) => ({
  runId: id,
  agentId,
  startedAt,
  leaseExpiresAt,
});
