import { Effect } from "effect";
import { IssueKeys } from "../../access/IssueKeys.ts";
import * as Principal from "../../access/Principal.ts";
import * as Fence from "../../agents/Fence.ts";
import { LimitExceeded, UnknownReference } from "../../CommonErrors.ts";
import { CoreOptions } from "../../CoreOptions.ts";
import { Idempotency } from "../../idempotency/Idempotency.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import { Transactor } from "../../Transactor.ts";
import type { InsertedIssue } from "../Issue.ts";
import { IssueView } from "../IssueView.ts";
import { Plan, type PlannedIssue } from "../Plan.ts";
import * as Creations from "./Creations.ts";
import { LinkChanges } from "./LinkChanges.ts";
import * as NewIssues from "./NewIssues.ts";
import * as NewProjects from "./NewProjects.ts";
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
  const projects = yield* NewProjects.make;
  const insert = yield* NewIssues.make;
  const { idOf } = yield* IssueKeys;
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
    const rows = new Map<string, InsertedIssue>();
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

  const read = Effect.fnUntraced(function* (
    creations: Creations.Creations,
    projectId: string,
    issues: ReadonlyArray<PlannedIssue>,
  ) {
    const rows = yield* Effect.forEach(creations.issueIds, view.row);
    const rendered = yield* view.renderAll(rows);
    const agentIds = new Set(issues.map(({ assignedAgentId }) => assignedAgentId));
    const warnings = new Map<string | null | undefined, ReadonlyArray<string>>();
    for (const assignedAgentId of agentIds) {
      warnings.set(assignedAgentId, yield* references.warnings({ assignedAgentId }));
    }
    return {
      id: Creations.toText(creations),
      issues: rendered.flatMap((issue, index) => {
        const planned = issues[index];
        if (planned === undefined) return [];
        const { assignedAgentId, ref } = planned;
        return {
          ref,
          issue,
          created: Creations.onTheWay(creations, index, projectId, assignedAgentId),
          warnings: warnings.get(assignedAgentId) ?? [],
        };
      }),
    };
  });

  const plan = Span.fn("Issues.plan")(function* (id: string, input: typeof Plan.Encoded) {
    const createdBy = Principal.actorOf(yield* Principal.require("Editor"));
    const issues = yield* PlanRefs.withIds((yield* decode(input)).issues, idOf);
    yield* PlanRefs.check(issues);
    const projectId = yield* references.project(id);
    const assignments = yield* checkAll(issues);
    const insertAll = Effect.gen(function* () {
      yield* fence("writes");
      const { isNew, project } = yield* projects.ofIssue(projectId);
      const newAgents = new Set<number>();
      for (const assignment of assignments) {
        if ((yield* assign(assignment)) !== null) newAgents.add(assignment.index);
      }
      const rows = new Map(yield* outside(issues));
      yield* PlanRefs.checkAcyclic(issues);
      const created: Array<InsertedIssue> = [];
      for (const issue of issues) {
        const isBlocked = PlanRefs.blockersOf(issue).length > 0;
        const row = yield* insert(issue, { project, createdBy, isBlocked });
        rows.set(issue.ref, row);
        created.push(row);
      }
      for (const [index, issue] of issues.entries()) {
        const blockers = PlanRefs.blockersOf(issue).flatMap((name) => rows.get(name) ?? []);
        const row = created[index];
        if (row !== undefined) yield* links.blockAtCreation(row, blockers);
      }
      const issueIds = created.map((row) => row.id);
      return yield* read({ issueIds, isProjectNew: isNew, newAgents }, projectId, issues);
    });
    const find = (id: string) => read(Creations.fromText(id), projectId, issues);
    return (yield* transact(idempotency.once({ make: insertAll, find }))).issues;
  });

  return { plan };
});
