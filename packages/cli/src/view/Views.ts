import type { Client, SavedView } from "@quartermaster/client";
import { Effect } from "effect";
import type * as Api from "../Api.ts";
import { usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";

/** Saved views of lists of issues. Their query is the address of the list on the page. */

/** The query of a list of issues. */
export type Query = Omit<NonNullable<Parameters<Client["issues"]["listAcross"]>[0]>, "view">;

const all = (access: Api.Access, limit: number) =>
  Lists.take(access, limit, (client, options) =>
    client.views.list({ limit: Lists.pageSize(limit) }, options),
  );

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly limit: number },
) {
  const access = yield* Connection.open(flags);
  const views = yield* all(access, flags.limit);
  yield* Output.list(
    flags.json,
    views,
    ["ID", "NAME", "PROJECT", "QUERY"],
    views.map(({ id, name, projectId, query }) => [id, name, projectId, query]),
  );
});

/** The view with this id, or the only one with this name. */
export const find = Effect.fnUntraced(function* (access: Api.Access, text: string) {
  const views = yield* all(access, Number.MAX_SAFE_INTEGER);
  const lower = text.toLowerCase();
  const found = views.filter(({ id, name }) => id === text || name.toLowerCase() === lower);
  const [view] = found;
  if (view === undefined) {
    return yield* usage(
      `You have no view ${JSON.stringify(text)}. \`quartermaster view list\` lists views.`,
    );
  }
  if (found.length > 1) {
    return yield* usage(
      `Several views have the name ${JSON.stringify(text)}. Name one by its id: ${found.map(({ id }) => id).join(", ")}.`,
    );
  }
  return view;
});

/** The filters under the names that they have in an address of the page. */
const names = {
  project: "projectId",
  assignee: "assigneeId",
  goal: "goalId",
  "not.assignee": "not.assigneeId",
  "not.goal": "not.goalId",
} as const;
const lists = new Set(["projectId", "label"]);
const times = new Set(["updatedSince", "updatedBefore", "createdAfter"]);
const flags = new Set(["paused", "ready", "silentAgent"]);
const others = [
  "status",
  "priority",
  "has",
  "not.status",
  "not.priority",
  "not.label",
  "not.has",
  "q",
  "sort",
];
const known = new Set([...Object.values(names), ...others, ...lists, ...times, ...flags]);

/** The query of a view for the API. What only the page knows, such as columns, is left out. */
export const queryOf = Effect.fnUntraced(function* ({ query }: Pick<SavedView, "query">) {
  const parameters = new URLSearchParams(query);
  const result: Record<string, unknown> = {};
  for (const given of new Set(parameters.keys())) {
    const name = given in names ? names[given as keyof typeof names] : given;
    const values = parameters.getAll(given);
    if (!known.has(name)) continue;
    const text = values.join(",");
    if (lists.has(name)) result[name] = name === "label" ? values : text.split(",");
    else if (times.has(name)) result[name] = yield* Duration.timeBeforeNow(text);
    else result[name] = flags.has(name) ? text === "true" : text;
  }
  return result as Query;
});
