import { assert } from "@effect/vitest";
import {
  AgentStore,
  AttachmentStore,
  Issue,
  IssueFilter,
  IssueOrder,
  IssueStore,
} from "@quartermaster/core";
import { Effect, Schema } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { everything, ids, type It } from "../../Suite.ts";

/** Tests of the filters of lists, against a scan of all issues. */

const Who = Schema.Literals(["ann", "ben", "ANN"]);
const Goal = Schema.Literals(["goal", "other"]);
const Label = Schema.Literals(["bug", "ui", "Bug"]);
const Seconds = Schema.Literals([0, 10, 10.001, 100]);
const Made = Schema.Struct({
  status: Issue.IssueStatus,
  priority: Issue.IssuePriority,
  assignedAgentId: Schema.NullOr(Who),
  assigneeUserId: Schema.NullOr(Who),
  goalId: Schema.NullOr(Goal),
  labels: Schema.Array(Label),
  pausedBecause: Schema.NullOr(Issue.PausedBecause),
  /** Null for no question. A question at second 60 has expired. */
  question: Schema.NullOr(Schema.Literals(["answered", "open", "due"])),
  files: Schema.Literals([0, 1, 2]),
  updated: Seconds,
  created: Seconds,
});
type Made = typeof Made.Type;

/** Different values, as core makes them. */
const few = <S extends Schema.Constraint>(item: S) =>
  Schema.optionalKey(Schema.Array(item).check(Schema.isMaxLength(2), Schema.isUnique()));
const Query = Schema.Struct({
  status: few(Issue.IssueStatus),
  priority: few(Issue.IssuePriority),
  assigneeId: few(Who),
  goalId: few(Goal),
  label: few(Schema.Array(Label).check(Schema.isMaxLength(2))),
  has: few(IssueFilter.IssueHas),
  "not.status": few(Issue.IssueStatus),
  "not.priority": few(Issue.IssuePriority),
  "not.assigneeId": few(Who),
  "not.goalId": few(Goal),
  "not.label": few(Label),
  "not.has": few(IssueFilter.IssueHas),
  paused: Schema.optionalKey(Schema.Boolean),
  silentAgent: Schema.optionalKey(Schema.Boolean),
  updatedSince: Schema.optionalKey(Seconds),
  updatedBefore: Schema.optionalKey(Seconds),
  createdAfter: Schema.optionalKey(Seconds),
  sort: Schema.optionalKey(IssueFilter.IssueSort),
});
type Query = typeof Query.Type;

const now = Fixtures.at(60);
/** The agent with a recent heartbeat. `ANN` had one long ago, `ben` had none. */
const alive = "ann";

const overlap = <A>(wanted: ReadonlyArray<A>, values: ReadonlyArray<A | null>) =>
  values.some((value) => value !== null && wanted.includes(value));

const thingsOf = (made: Made): ReadonlyArray<IssueFilter.IssueHas> => [
  ...(made.question === "open" ? (["question"] as const) : []),
  ...(made.files > 0 ? (["files"] as const) : []),
  ...(["failed", "tooManyAttempts"].includes(made.pausedBecause ?? "")
    ? (["failure"] as const)
    : []),
];

const matches = (query: Query, made: Made): boolean => {
  const passes = <A>(
    only: ReadonlyArray<A> | undefined,
    not: ReadonlyArray<A> | undefined,
    ...values: ReadonlyArray<A | null>
  ) => (only === undefined || overlap(only, values)) && !overlap(not ?? [], values);
  const isSilent = made.assignedAgentId !== null && made.assignedAgentId !== alive;
  return (
    passes(query.status, query["not.status"], made.status) &&
    passes(query.priority, query["not.priority"], made.priority) &&
    passes(query.assigneeId, query["not.assigneeId"], made.assignedAgentId, made.assigneeUserId) &&
    passes(query.goalId, query["not.goalId"], made.goalId) &&
    passes(query.has, query["not.has"], ...thingsOf(made)) &&
    passes(undefined, query["not.label"], ...made.labels) &&
    (query.label ?? []).every((labels) => overlap(labels, made.labels)) &&
    (query.paused ?? made.pausedBecause !== null) === (made.pausedBecause !== null) &&
    (query.silentAgent ?? isSilent) === isSilent &&
    made.updated >= (query.updatedSince ?? 0) &&
    made.updated < (query.updatedBefore ?? Infinity) &&
    made.created > (query.createdAfter ?? -1)
  );
};

/** Maps names to ids that no other test has. */
const idsIn = (projectId: string) => (who: string) => `${projectId}-${who}`;

const insert = Effect.fnUntraced(function* (projectId: string, made: ReadonlyArray<Made>) {
  const attachments = yield* AttachmentStore.AttachmentStore;
  const agents = yield* AgentStore.AgentStore;
  const idOf = idsIn(projectId);
  const nullable = (who: string | null) => (who === null ? null : idOf(who));
  return yield* transact(
    Effect.gen(function* () {
      for (const who of Who.literals) yield* agents.register(idOf(who), Fixtures.at(0));
      yield* agents.heartbeat(idOf(alive), now);
      yield* agents.heartbeat(idOf("ANN"), Fixtures.at(1));
      return yield* Effect.forEach(made, ({ created, files, question, updated, ...fields }) =>
        Effect.gen(function* () {
          const issue = yield* Fixtures.issue({
            ...fields,
            projectId,
            labels: [...new Set(fields.labels)],
            assignedAgentId: nullable(fields.assignedAgentId),
            assigneeUserId: nullable(fields.assigneeUserId),
            createdAt: Fixtures.at(created),
            updatedAt: Fixtures.at(updated),
          });
          for (let n = 0; n < files; n++) {
            yield* attachments.insert(yield* Fixtures.attachmentRow(issue.id));
          }
          if (question !== null) {
            yield* Fixtures.question(issue, {
              status: question === "answered" ? "answered" : "open",
              expiresAt: question === "due" ? now : null,
            });
          }
          return issue;
        }),
      );
    }),
  );
});

/** The query of the store. */
const storeQuery = (
  projectId: string,
  { has, silentAgent, "not.has": hasNot, ...query }: Query,
): Omit<IssueStore.IssueQuery, "projectId"> => {
  const idOf = idsIn(projectId);
  const { createdAfter, updatedBefore, updatedSince, ...rest } = query;
  return {
    ...rest,
    ...(query.assigneeId && { assigneeId: query.assigneeId.map(idOf) }),
    ...(query["not.assigneeId"] && { "not.assigneeId": query["not.assigneeId"].map(idOf) }),
    ...(has && { has: { any: has, now } }),
    ...(hasNot && { "not.has": { any: hasNot, now } }),
    ...(silentAgent === undefined
      ? {}
      : { silentAgent: { is: silentAgent, since: Fixtures.at(30) } }),
    ...(createdAfter === undefined ? {} : { createdAfter: Fixtures.at(createdAfter) }),
    ...(updatedBefore === undefined ? {} : { updatedBefore: Fixtures.at(updatedBefore) }),
    ...(updatedSince === undefined ? {} : { updatedSince: Fixtures.at(updatedSince) }),
  };
};

/** Checks the first two pages of a list in both orders. */
const check = Effect.fnUntraced(function* (
  projectId: string,
  made: ReadonlyArray<Made>,
  rows: ReadonlyArray<Issue.IssueRow>,
  query: Query,
  limit: number,
) {
  const issues = yield* IssueStore.IssueStore;
  const asked = storeQuery(projectId, query);
  const expected = rows
    .filter((_, n) => made[n] !== undefined && matches(query, made[n]))
    .toSorted(IssueOrder.compare(query.sort ?? "created"));
  const message = JSON.stringify(query);
  for (const order of ["asc", "desc"] as const) {
    const all = ids(order === "asc" ? expected : expected.toReversed());
    const first = yield* issues.list({ projectId, ...asked }, { limit, order, after: null });
    assert.deepStrictEqual(ids(first), all.slice(0, limit), message);
    const slice = { limit, order, after: first.at(-1) ?? null };
    const second = yield* issues.list({ projectId, ...asked }, slice);
    assert.deepStrictEqual(
      ids(second),
      first.length === 0 ? [] : all.slice(limit, 2 * limit),
      message,
    );
    const across = yield* issues.listAcross({ projects: [projectId], ...asked }, slice);
    assert.deepStrictEqual(ids(across), ids(second), message);
  }
  const { sort: _, ...filters } = asked;
  const search = { projects: [projectId], ...filters, words: ["roof"], sort: "created" } as const;
  if (rows.length <= everything.limit) {
    const { hits } = yield* issues.search(search, everything);
    const found = hits.map(({ issue }) => issue.id);
    assert.sameMembers(found, [...ids(expected)], message);
  }
});

/** Element `n` of an endless repetition. */
const cycle = <A>(values: ReadonlyArray<A>, n: number): A => values[n % values.length] as A;

export const tests = (it: It<Storage>): void => {
  it.effect.prop(
    "[issues.list.alternatives] lists have the issues that a scan with the same filters finds",
    {
      made: Schema.Array(Made).check(Schema.isMaxLength(12)),
      queries: Schema.Array(Query).check(Schema.isMaxLength(6)),
    },
    ({ made, queries }) =>
      Effect.gen(function* () {
        const projectId = yield* Fixtures.id("project");
        const rows = yield* insert(projectId, made);
        for (const query of queries) yield* check(projectId, made, rows, query, 3);
      }),
    { arbitrary: { runs: 60 } },
  );

  it.effect(
    "lists of more issues than are sorted have the issues that a scan finds",
    () =>
      Effect.gen(function* () {
        const projectId = yield* Fixtures.id("project");
        const made = Array.from({ length: 1_150 }, (_, n): Made => ({
          status: n % 40 === 0 ? "Resolved" : "Open",
          priority: n % 50 === 0 ? "urgent" : "low",
          assignedAgentId: n % 30 === 0 ? null : cycle(["ben", "ANN"] as const, n),
          assigneeUserId: n % 20 === 0 ? "ben" : null,
          goalId: cycle(["goal", "other"] as const, n),
          labels: n % 25 === 0 ? ["bug"] : cycle([["bug", "ui"], ["ui"]] as const, n),
          pausedBecause: n % 15 === 0 ? "person" : "failed",
          question: n % 60 === 0 ? null : "open",
          files: n % 70 === 0 ? 0 : 1,
          updated: cycle([10, 100, 10.001], n),
          created: n < 20 ? 0 : 10,
        }));
        const rows = yield* insert(projectId, made);
        const filters: ReadonlyArray<Query> = [
          { status: ["Open", "Resolved"], "not.status": ["Resolved"], "not.goalId": ["other"] },
          { priority: ["low", "high"], has: ["question"] },
          { assigneeId: ["ben", "ANN"], "not.priority": ["urgent"] },
          { goalId: ["goal", "other"], "not.has": ["failure"] },
          { label: [["bug", "ui"]] },
          { label: [["bug", "ui"], ["ui"]], "not.label": ["bug"] },
          { has: ["files"] },
          { has: ["failure"] },
          { has: ["failure", "question"], "not.assigneeId": ["ben"] },
          { silentAgent: true },
          { updatedSince: 10, updatedBefore: 100 },
          { updatedBefore: 100, status: ["Open"] },
          { createdAfter: 0 },
          { paused: true, createdAfter: 0, "not.has": ["files", "question"] },
        ] as const;
        for (const filter of filters) {
          for (const sort of IssueFilter.IssueSort.literals) {
            yield* check(projectId, made, rows, { ...filter, sort }, 40);
          }
        }
      }),
    180_000,
  );

  it.effect("[issues.list.has] has=files follows the removal of files", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const attachments = yield* AttachmentStore.AttachmentStore;
      const projectId = yield* Fixtures.id("project");
      const issue = yield* Fixtures.issue({ projectId });
      const files = yield* Effect.all([1, 2].map(() => Fixtures.attachmentRow(issue.id)));
      yield* transact(Effect.forEach(files, attachments.insert));
      const list = Effect.map(
        issues.list({ projectId, has: { any: ["files"], now } }, everything),
        (rows) => rows.length,
      );
      for (const [index, { id }] of files.entries()) {
        assert.strictEqual(yield* list, 1);
        yield* transact(attachments.remove(id));
        if (index === 1) yield* transact(issues.update([{ ...issue, title: "Changed" }]));
      }
      assert.strictEqual(yield* list, 0);
    }),
  );
};
