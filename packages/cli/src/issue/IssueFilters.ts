import { Effect, Option } from "effect";
import type * as Api from "../Api.ts";
import * as Duration from "../Duration.ts";
import * as DefaultProject from "../project/DefaultProject.ts";
import * as Views from "../view/Views.ts";

export type { Query } from "../view/Views.ts";

type Texts = ReadonlyArray<string>;
type Given = Option.Option<string>;

export interface Flags extends DefaultProject.Flags {
  readonly view: Given;
  readonly status: ReadonlyArray<Texts>;
  readonly priority: ReadonlyArray<Texts>;
  readonly assignee: Texts;
  readonly goal: Texts;
  readonly label: Texts;
  readonly has: ReadonlyArray<Texts>;
  readonly notStatus: ReadonlyArray<Texts>;
  readonly notPriority: ReadonlyArray<Texts>;
  readonly notAssignee: Texts;
  readonly notGoal: Texts;
  readonly notLabel: Texts;
  readonly notHas: ReadonlyArray<Texts>;
  readonly updatedSince: Given;
  readonly updatedBefore: Given;
  readonly createdAfter: Given;
  readonly externalRef: Given;
  readonly paused: boolean;
  readonly silentAgent: boolean;
  readonly query: Given;
  readonly sort: Option.Option<NonNullable<Views.Query["sort"]>>;
}

/** The values as one list; undefined without any. */
const joined = (values: ReadonlyArray<string | Texts>): string | undefined =>
  values.length === 0 ? undefined : values.flat().join(",");

const defined = <A extends object>(query: A): A =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as A;

/** The query of the options. The options replace filters of the view. */
export const of = Effect.fnUntraced(function* (access: Api.Access, flags: Flags) {
  const project = yield* DefaultProject.of(access, flags);
  const view: Views.Query = Option.isNone(flags.view)
    ? {}
    : yield* Views.queryOf(yield* Views.find(access, flags.view.value));
  // The projects of a view replace the default project, and --project replaces both.
  const isOfView = view.projectId !== undefined && Option.isNone(flags.project);
  const given: Views.Query = {
    projectId: isOfView && !flags.allProjects ? view.projectId : project === null ? [] : [project],
    status: joined(flags.status),
    priority: joined(flags.priority),
    assigneeId: joined(flags.assignee),
    goalId: joined(flags.goal),
    label: flags.label.length === 0 ? undefined : flags.label,
    has: joined(flags.has),
    "not.status": joined(flags.notStatus),
    "not.priority": joined(flags.notPriority),
    "not.assigneeId": joined(flags.notAssignee),
    "not.goalId": joined(flags.notGoal),
    "not.label": joined(flags.notLabel),
    "not.has": joined(flags.notHas),
    updatedSince: yield* Duration.givenTime(flags.updatedSince),
    updatedBefore: yield* Duration.givenTime(flags.updatedBefore),
    createdAfter: yield* Duration.givenTime(flags.createdAfter),
    externalRef: Option.getOrUndefined(flags.externalRef),
    paused: flags.paused || undefined,
    silentAgent: flags.silentAgent || undefined,
    q: Option.getOrUndefined(flags.query),
    sort: Option.getOrUndefined(flags.sort),
  };
  return { ...view, ...defined(given) };
});
