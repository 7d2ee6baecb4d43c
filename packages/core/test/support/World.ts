import { it } from "@effect/vitest";
import { type Issue, Issues, Links, type Principal, Runs } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import * as TestStorage from "./Storage.ts";

/** The setup of most tests of the domain: the services on memory, and calls by the user alice. */

export const alice = Callers.user("alice");
export const statuses: ReadonlyArray<Issue.IssueStatus> = [
  "Open",
  "InProgress",
  "WaitingOnDependency",
  "PendingReview",
  "Resolved",
  "Closed",
];

export type Services = Layer.Success<typeof TestStorage.layer>;

/** Any call of a service. */
export type Call = Effect.Effect<
  unknown,
  { readonly _tag: string },
  Services | Principal.CurrentPrincipal
>;

interface Refusal {
  readonly _tag: string;
  readonly [field: string]: unknown;
}

/** The error of a call that has to fail. */
export const refusal = (
  call: Call,
): Effect.Effect<Refusal, unknown, Services | Principal.CurrentPrincipal> =>
  Effect.map(Effect.flip(call), (error) => error as Refusal);

/** A test of the services on memory. The user alice makes its calls, except calls with `as`. */
export const check = <A, E>(
  name: string,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
): void => it.effect(name, () => body.pipe(Callers.as(alice), Effect.provide(TestStorage.layer)));

/** The same, with other layers around the services: options or a directory. */
export const checkWith = <A, E>(
  settings: Layer.Layer<never>,
  name: string,
  body: Effect.Effect<A, E, Services | Principal.CurrentPrincipal>,
): void =>
  it.effect(name, () =>
    body.pipe(Callers.as(alice), Effect.provide(Layer.provide(TestStorage.layer, settings))),
  );

type Create = Parameters<(typeof Issues.Issues)["Service"]["create"]>[1];

export const project = "project";

export const create = (input: Partial<Create> = {}, projectId = project) =>
  Effect.map(
    Issues.Issues.use((issues) => issues.create(projectId, { title: "Mend the roof", ...input })),
    plain,
  );

/** The issue without the side effects of its request. */
export const plain = <A extends Issue.SideEffects>({ created: _, warnings: __, ...issue }: A) =>
  issue;

export const get = (id: string) => Issues.Issues.use((issues) => issues.get(id));

export const put = (
  id: string,
  input: Parameters<(typeof Issues.Issues)["Service"]["update"]>[1],
) =>
  Effect.map(
    Issues.Issues.use((issues) => issues.update(id, input)),
    plain,
  );

export const link = (
  id: string,
  linkType: "Blocks" | "BlockedBy" | "RelatedTo" | "DuplicateOf",
  targetIssueId: string,
) => Links.Links.use((links) => links.create(id, { linkType, targetIssueId }));

/** Creates an issue with this status. A waiting issue gets a separate blocker. */
export const inStatus = Effect.fnUntraced(function* (
  status: Issue.IssueStatus,
  input: Partial<Create> = {},
) {
  if (status === "WaitingOnDependency") {
    const blocker = yield* create({ title: "A blocker" });
    return yield* create({ ...input, blockedByIssueId: blocker.id });
  }
  const issue = yield* create(input);
  return status === "Open" ? issue : yield* put(issue.id, { status });
});

/** Creates an issue that waits for a blocker, and the blocker. */
export const waiting = Effect.fnUntraced(function* (input: Partial<Create> = {}) {
  const blocker = yield* create({ title: "A blocker" });
  return { blocker, issue: yield* create({ ...input, blockedByIssueId: blocker.id }) };
});

export const heartbeat = (
  agentId: string,
  input: Parameters<(typeof Runs.Runs)["Service"]["heartbeat"]>[1] = {},
) => Runs.Runs.use((runs) => runs.heartbeat(agentId, input));

export const turn = (runId: string, agentId = "bot") =>
  Runs.Runs.use((runs) => runs.turn(agentId, runId));

export const finish = (
  runId: string,
  outcome: "resolved" | "review" | "released" | "failed",
  agentId = "bot",
) => Runs.Runs.use((runs) => runs.finish(agentId, runId, { outcome }));

/** Creates an issue with a live run of the agent. Returns both. */
export const executing = Effect.fnUntraced(function* (
  agentId = "bot",
  input: Partial<Create> = {},
) {
  const made = yield* create({ ...input, assignedAgentId: agentId });
  const { started } = yield* heartbeat(agentId, { capacity: 50 });
  const run = started.find(({ issue }) => issue.id === made.id);
  if (run === undefined) return yield* Effect.die("it was not picked up");
  return { issue: run.issue, runId: run.runId };
});

/** The status changes on the timeline, as `from > to: cause`. */
export const moves = Effect.fnUntraced(function* (id: string) {
  const issues = yield* Issues.Issues;
  const { items } = yield* issues.activity(id, { limit: 500 });
  return items
    .filter(({ kind }) => kind === "statusChanged")
    .map(({ data }) => `${String(data["from"])} > ${String(data["to"])}: ${String(data["cause"])}`);
});

/** The kinds of the timeline's entries. */
export const kinds = Effect.fnUntraced(function* (id: string) {
  const issues = yield* Issues.Issues;
  const { items } = yield* issues.activity(id, { limit: 500 });
  return items.map(({ kind }) => kind);
});

export const statusOf = (id: string) => Effect.map(get(id), ({ status }) => status);
