import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import { LimitExceeded, UnknownReference } from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import { Transactor } from "../../Transactor.ts";
import type { IssueRow } from "../Issue.ts";
import { IssueView } from "../IssueView.ts";
import { Plan, type PlannedIssue } from "../Plan.ts";
import { LinkChanges } from "./LinkChanges.ts";
import * as NewIssues from "./NewIssues.ts";
import * as PlanRefs from "./PlanRefs.ts";
import { type CheckedAssignment, References } from "./References.ts";

/** The creation of the issues of a plan. */
export const make = Effect.gen(function* () {
  const view = yield* IssueView;
  const fence = yield* Fence.make;
  const links = yield* LinkChanges;
  const references = yield* References;
  const idempotency = yield* Idempotency;
  const { maxLinks } = yield* CoreOptions;
  const { transact } = yield* Transactor;
  const insert = yield* NewIssues.make;
  const decode = Input.decoder(Plan);

  /**
   * The directory's responses for the assignments of the issues. Asks about each assignment once.
   */
  const checkAll = Effect.fnUntraced(function* (issues: ReadonlyArray<PlannedIssue>) {
    const checks = new Map<
      string,
      { readonly index: number; readonly checked: CheckedAssignment }
    >();
    for (const [index, { assignedAgentId, assigneeUserId, goalId }] of issues.entries()) {
      const assignment = { assignedAgentId, assigneeUserId, goalId };
      const key = JSON.stringify(assignment);
      if (checks.has(key)) continue;
      checks.set(key, { index, checked: yield* references.check(assignment) });
    }
    return [...checks.values()];
  });

  const assign = ({ checked, index }: Effect.Success<ReturnType<typeof checkAll>>[number]) =>
    Effect.catchTag(references.assign(checked), "UnknownReference", ({ field, id }) =>
      Effect.fail(new UnknownReference({ field: `issues.${index}.${field}`, id })),
    );

  /** The existing issues that the plan names, by id, if they and the plan can take the links. */
  const outside = Effect.fnUntraced(function* (issues: ReadonlyArray<PlannedIssue>) {
    const rows = new Map<string, IssueRow>();
    for (const [id, path] of PlanRefs.idsOf(issues)) {
      rows.set(id, yield* references.issue(path, id));
    }
    const added = issues.flatMap(PlanRefs.blockersOf);
    const counts = new Map([...rows].map(([id, { linkCount }]) => [id, linkCount]));
    for (const name of added) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (added.length > maxLinks || [...counts.values()].some((count) => count > maxLinks)) {
      return yield* new LimitExceeded({ limit: maxLinks });
    }
    return rows;
  });

  const find = Effect.fnUntraced(function* (id: string) {
    const ids = id.split(" ").filter((issueId) => issueId !== "");
    return { id, issues: yield* view.renderAll(yield* Effect.forEach(ids, view.row)) };
  });

  const plan = Span.fn("Issues.plan")(function* (id: string, input: typeof Plan.Encoded) {
    const createdBy = Principal.actorOf(yield* Principal.require("Editor"));
    const { issues } = yield* decode(input);
    yield* PlanRefs.check(issues);
    const projectId = yield* references.project(id);
    const assignments = yield* checkAll(issues);
    const insertAll = Effect.gen(function* () {
      yield* fence("writes");
      yield* Effect.forEach(assignments, assign);
      const rows = new Map(yield* outside(issues));
      yield* PlanRefs.checkAcyclic(issues);
      const created: Array<IssueRow> = [];
      for (const issue of issues) {
        const isBlocked = PlanRefs.blockersOf(issue).length > 0;
        const row = yield* insert(issue, { projectId, createdBy, isBlocked });
        rows.set(issue.ref, row);
        created.push(row);
      }
      for (const [index, issue] of issues.entries()) {
        const blockers = PlanRefs.blockersOf(issue).flatMap((name) => rows.get(name) ?? []);
        const row = created[index];
        if (row !== undefined) yield* links.blockAtCreation(row, blockers);
      }
      return yield* find(created.map((row) => row.id).join(" "));
    });
    const result = yield* transact(idempotency.once({ make: insertAll, find }));
    return result.issues.flatMap((issue, index) => {
      const ref = issues[index]?.ref;
      return ref === undefined ? [] : [{ ref, issue }];
    });
  });

  return { plan };
});
