import { assert } from "@effect/vitest";
import {
  EffectStore,
  Issue,
  IssueLifecycle,
  IssueStore,
  ProjectStore,
  ToolCallStore,
  VersionStore,
} from "@quartermaster/core";
import { Effect, Schema } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { ids, type It } from "../../Suite.ts";
import { pauseAgent } from "./IssuePauses.ts";
import { questions } from "./IssueWaiting.ts";

const now = Fixtures.at(100);

const claimable = (agentId: string, projects: ReadonlyArray<string> | null = null, limit = 100) =>
  IssueStore.IssueStore.use((issues) =>
    Effect.map(issues.claimable(agentId, projects, limit, now), (found) =>
      ids(found.map(({ issue }) => issue)),
    ),
  );

const Candidate = Schema.Struct({
  status: Issue.IssueStatus,
  priority: Issue.IssuePriority,
  owner: Schema.Literals(["agent", "paused", "nobody"]),
  projectPaused: Schema.Boolean,
  pausedBecause: Schema.NullOr(Issue.PausedBecause),
  notBefore: Schema.NullOr(Schema.Literals([Fixtures.at(99), now, Fixtures.at(100.001)])),
  resumed: Schema.Boolean,
  run: Schema.Literals(["none", "live", "expired", "ended"]),
  call: Schema.Literals(["none", "inFlight", "lost"]),
  question: Schema.Literals(["none", "blocking", "later", "due", "answered", "informal"]),
});

/** Mostly claimable issues, so that the order is visible. */
const Likely = Schema.Struct({
  ...Candidate.fields,
  status: Schema.Literals(["Open", "InProgress"]),
  owner: Schema.Literal("agent"),
  projectPaused: Schema.Literal(false),
  pausedBecause: Schema.Null,
  notBefore: Schema.NullOr(Schema.Literals([Fixtures.at(99), now])),
  run: Schema.Literals(["none", "expired", "ended"]),
  call: Schema.Literals(["none", "lost"]),
  question: Schema.Literals(["none", "due", "answered", "informal"]),
});

const runs = {
  live: { leaseExpiresAt: Fixtures.at(100.001) },
  expired: { leaseExpiresAt: Fixtures.at(100) },
  ended: { ...Fixtures.ended(Fixtures.at(1)), leaseExpiresAt: Fixtures.at(900) },
};

const untils = { inFlight: Fixtures.at(100.001), lost: now };

const admit = Effect.fnUntraced(function* (issueId: string, call: keyof typeof untils) {
  const calls = yield* ToolCallStore.ToolCallStore;
  yield* transact(calls.admit(yield* Fixtures.admittedCall({ issueId, until: untils[call] })));
});

export const tests = (it: It<Storage>): void => {
  it.effect("claimable lists resumed issues first, then by priority, then oldest", () =>
    Effect.gen(function* () {
      const agentId = yield* Fixtures.id("agent");
      const make = (priority: Issue.IssuePriority, resumed = false) =>
        Fixtures.issue({ assignedAgentId: agentId, priority, resumed });
      const low = yield* make("low");
      const normal = yield* make("normal");
      const resumedLow = yield* make("low", true);
      const high = yield* make("high");
      const urgent = yield* make("urgent");
      const resumedHigh = yield* make("high", true);
      const urgent2 = yield* make("urgent");
      const normal2 = yield* make("normal");
      const order = ids([resumedHigh, resumedLow, urgent, urgent2, high, normal, normal2, low]);
      assert.deepStrictEqual(yield* claimable(agentId), order);
      assert.deepStrictEqual(yield* claimable(agentId, null, 3), order.slice(0, 3));
      assert.deepStrictEqual(yield* claimable(agentId, null, 0), []);
    }),
  );

  it.effect(
    "claimable returns whole rows, the newest comment, and whether it has an abandoned run, questions or effects",
    () =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const agentId = yield* Fixtures.id("agent");
        const issue = yield* Fixtures.issue({ assignedAgentId: agentId, description: "all of it" });
        const other = yield* Fixtures.issue({ assignedAgentId: agentId });
        const third = yield* Fixtures.issue({ assignedAgentId: agentId });
        yield* Fixtures.run(issue, runs.ended);
        yield* Fixtures.run(other, runs.expired);
        yield* Fixtures.run(third, { ...runs.expired, status: "stopping", stopReason: "paused" });
        yield* Fixtures.comment(other.id);
        const comment = yield* Fixtures.comment(other.id);
        yield* Fixtures.comment((yield* Fixtures.issue()).id);
        yield* Fixtures.question(other, { status: "answered" });
        const effect = yield* Fixtures.effectSlot({ issueId: other.id });
        yield* EffectStore.EffectStore.use((effects) => transact(effects.insert(effect)));
        const versions = yield* VersionStore.VersionStore;
        yield* transact(versions.append([Fixtures.versionRow(other.id)]));
        const [version] = yield* versions.list(other.id, { limit: 1, order: "desc", after: null });
        assert.deepStrictEqual(yield* issues.claimable(agentId, null, 5, now), [
          {
            issue,
            isAbandoned: false,
            commentSeq: 0,
            versionSeq: 0,
            hasQuestions: false,
            hasEffects: false,
          },
          {
            issue: other,
            isAbandoned: true,
            commentSeq: comment.seq,
            versionSeq: version?.seq ?? 0,
            hasQuestions: true,
            hasEffects: true,
          },
          {
            issue: third,
            isAbandoned: true,
            commentSeq: 0,
            versionSeq: 0,
            hasQuestions: false,
            hasEffects: false,
          },
        ]);
      }),
  );

  it.effect("claimable lists only Open or InProgress issues of the agent that are not paused", () =>
    Effect.gen(function* () {
      const agentId = yield* Fixtures.id("agent");
      const expected: Array<string> = [];
      for (const status of Issue.IssueStatus.literals) {
        const { id } = yield* Fixtures.issue({ assignedAgentId: agentId, status });
        if (status === "Open" || status === "InProgress") {
          expected.push(id);
        }
        yield* Fixtures.issue({ assignedAgentId: agentId, status, pausedBecause: "person" });
        yield* Fixtures.issue({
          assignedAgentId: agentId,
          status,
          pausedBecause: "person",
          resumed: true,
        });
        yield* Fixtures.issue({ assignedAgentId: `${agentId}x`, status });
        yield* Fixtures.issue({ assigneeUserId: agentId, status });
      }
      assert.deepStrictEqual(yield* claimable(agentId), expected);
      assert.deepStrictEqual(yield* claimable(agentId.toLowerCase()), []);
    }),
  );

  it.effect("claimable lists a deferred issue once its time has come", () =>
    Effect.gen(function* () {
      const agentId = yield* Fixtures.id("agent");
      const make = (notBefore: string | null) =>
        Fixtures.issue({ assignedAgentId: agentId, notBefore });
      const past = yield* make(Fixtures.at(99));
      const present = yield* make(now);
      yield* make(Fixtures.at(100.001));
      const free = yield* make(null);
      assert.deepStrictEqual(yield* claimable(agentId), ids([past, present, free]));
    }),
  );

  it.effect("claimable lists only issues of the given projects; null means all", () =>
    Effect.gen(function* () {
      const agentId = yield* Fixtures.id("agent");
      const make = (projectId: string) => Fixtures.issue({ assignedAgentId: agentId, projectId });
      const [a, b, c] = yield* Effect.all([make("a"), make("b"), make("c")]);
      assert.deepStrictEqual(yield* claimable(agentId, null), [a.id, b.id, c.id]);
      assert.deepStrictEqual(yield* claimable(agentId, ["c", "a", "d"]), [a.id, c.id]);
      assert.deepStrictEqual(yield* claimable(agentId, ["A"]), []);
      assert.deepStrictEqual(yield* claimable(agentId, []), []);
    }),
  );

  it.effect("claimable lists no issue that an open issue blocks", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const agentId = yield* Fixtures.id("agent");
      const issue = yield* Fixtures.issue({ assignedAgentId: agentId });
      const blocker = yield* Fixtures.issue();
      const resolved = yield* Fixtures.issue({ status: "Resolved" });
      yield* Fixtures.link(resolved, issue);
      yield* Fixtures.link(blocker, issue, { relation: "RelatedTo" });
      yield* Fixtures.link(blocker, issue, { relation: "DuplicateOf" });
      yield* Fixtures.link(issue, blocker);
      assert.deepStrictEqual(yield* claimable(agentId), [issue.id]);
      const other = yield* Fixtures.issue();
      yield* Fixtures.link(other, issue);
      for (const status of Issue.IssueStatus.literals) {
        yield* transact(issues.update([{ ...other, status }]));
        assert.deepStrictEqual(yield* claimable(agentId), Issue.isOpen(status) ? [] : [issue.id]);
      }
      yield* transact(issues.update([{ ...other, status: "Open" }]));
      yield* transact(issues.remove(other.id));
      assert.deepStrictEqual(yield* claimable(agentId), [issue.id]);
    }),
  );

  it.effect("claimable lists no issue that a run holds at the given time", () =>
    Effect.gen(function* () {
      const agentId = yield* Fixtures.id("agent");
      const make = (run: keyof typeof runs, overrides?: Parameters<typeof Fixtures.run>[1]) =>
        Effect.tap(Fixtures.issue({ assignedAgentId: agentId }), (issue) =>
          Fixtures.run(issue, { ...runs[run], ...overrides }),
        );
      yield* make("live");
      yield* make("live", { status: "stopping", stopReason: "paused" });
      yield* make("live", { agentId: "another" });
      const expired = yield* make("expired");
      const stopped = yield* make("expired", { status: "stopping", stopReason: "paused" });
      const ended = yield* make("ended");
      assert.deepStrictEqual(yield* claimable(agentId), ids([expired, stopped, ended]));
    }),
  );

  it.effect("claimable lists no issue with a call in flight at the given time", () =>
    Effect.gen(function* () {
      const agentId = yield* Fixtures.id("agent");
      const issue = yield* Fixtures.issue({ assignedAgentId: agentId });
      const other = yield* Fixtures.issue({ assignedAgentId: agentId });
      yield* admit(issue.id, "inFlight");
      yield* admit(other.id, "lost");
      assert.deepStrictEqual(yield* claimable(agentId), [other.id]);
    }),
  );

  it.effect.prop(
    "claimable lists exactly an agent's issues without `IssueLifecycle.obstacles`",
    {
      made: Schema.Array(Schema.Union([Likely, Candidate])).check(Schema.isMaxLength(10)),
      blocks: Schema.Array(
        Schema.Tuple([
          Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })),
          Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })),
        ]),
      ).check(Schema.isMaxLength(5)),
    },
    ({ blocks, made }) =>
      Effect.gen(function* () {
        const projects = yield* ProjectStore.ProjectStore;
        const agent = yield* Fixtures.id("agent");
        const paused = yield* Fixtures.id("agent");
        yield* pauseAgent(paused, true);
        const pausedProject = yield* Fixtures.id("project");
        yield* transact(projects.setPaused(pausedProject, true));
        const owners = { agent, paused, nobody: null };
        const rows = yield* Effect.forEach(
          made,
          Effect.fnUntraced(function* ({ call, owner, projectPaused, question, run, ...fields }) {
            const issue = yield* Fixtures.issue({
              ...fields,
              ...(projectPaused ? { projectId: pausedProject } : {}),
              assignedAgentId: owners[owner],
            });
            if (run !== "none") yield* Fixtures.run(issue, runs[run]);
            if (call !== "none") yield* admit(issue.id, call);
            if (question !== "none") yield* Fixtures.question(issue, questions[question]);
            return issue;
          }),
        );
        // A storage may refuse a second link with the same ends and relation.
        const linked = new Set<string>();
        for (const [a, b] of blocks) {
          const [first, last] = [Math.min(a, b), Math.max(a, b)];
          const [source, target] = [rows[first], rows[last]];
          const isNew = first !== last && !linked.has(`${first} ${last}`);
          if (isNew && source !== undefined && target !== undefined) {
            linked.add(`${first} ${last}`);
            yield* Fixtures.link(source, target);
          }
        }
        const issues = yield* IssueStore.IssueStore;
        const facts = yield* Effect.forEach(rows, ({ id }) =>
          Effect.flatMap(issues.facts(id, now), Effect.fromOption),
        );
        const rank = ({ priority }: Issue.IssueRow) =>
          Issue.IssuePriority.literals.indexOf(priority);
        for (const agentId of [agent, paused]) {
          const expected = facts
            .filter((fact) => IssueLifecycle.obstacles(fact, now).length === 0)
            .map(({ issue }) => issue)
            .filter(({ assignedAgentId }) => assignedAgentId === agentId)
            .toSorted(
              (a, b) => Number(b.resumed) - Number(a.resumed) || rank(a) - rank(b) || a.seq - b.seq,
            );
          assert.deepStrictEqual(yield* claimable(agentId), ids(expected));
        }
      }),
    { arbitrary: { runs: 60 } },
  );
};
