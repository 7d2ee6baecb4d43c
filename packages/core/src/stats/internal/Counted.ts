import type { Effect } from "effect";
import type { EventKind, EventRow } from "../../events/Event.ts";
import type { CallOutcome, ToolCallRow } from "../../mcp/ToolCall.ts";
import type { Timestamp } from "../../Timestamp.ts";
import type { StatsRow, StatsStore, StayEnd, StaySince } from "../StatsStore.ts";
import * as Histogram from "./Histogram.ts";

/** The counters that an event, or a tool call, increases. */

/** An item to count once for each id. */
export interface Counted extends Pick<StatsRow, "at" | "kind"> {
  readonly ids: ReadonlyArray<string>;
  readonly counters: ReadonlyArray<string>;
}

export const kinds: ReadonlyArray<EventKind> = [
  "issue.created",
  "issue.statusChanged",
  "issue.pickedUp",
  "issue.finished",
  "issue.leaseExpired",
];

const countersOf = ({ data, kind }: EventRow): ReadonlyArray<string> => {
  switch (kind) {
    case "issue.created":
      return ["created"];
    case "issue.statusChanged":
      return data["to"] === "Resolved" ? ["resolved"] : data["to"] === "Closed" ? ["closed"] : [];
    case "issue.pickedUp":
      return ["run.started"];
    case "issue.finished":
      return [`run.${String(data["outcome"])}`];
    default:
      return ["run.expired"];
  }
};

const stayOf = ({ createdAt, data }: EventRow, since: Timestamp): string =>
  Histogram.counter(String(data["from"]), Math.max(0, Date.parse(createdAt) - Date.parse(since)));

/** The events that end an issue's stay in a status. */
export const endsOf = (events: ReadonlyArray<EventRow>): ReadonlyArray<StayEnd> =>
  events
    .filter(({ kind }) => kind === "issue.statusChanged")
    .map(({ createdAt, subjectId }) => ({ issueId: subjectId, endedAt: createdAt }));

/** The counter of a review that ends with this event; null if it does not decide about one. */
const verdictOf = ({ data, kind }: EventRow): "accepted" | "returned" | null => {
  if (kind !== "issue.statusChanged" || data["from"] !== "PendingReview") return null;
  if (data["to"] === "Resolved") return "accepted";
  return data["to"] === "Closed" ? null : "returned";
};

/** The facts about a batch of events that the events do not contain. */
export interface Facts {
  /** The start of each of `endsOf(events)`. */
  readonly sinces: ReadonlyArray<Timestamp | null>;
  /** The run that handed in each of `reviewsOf(events, sinces)`. */
  readonly handIns: ReadonlyArray<string | null>;
  readonly runs: Effect.Success<ReturnType<StatsStore["Service"]["runs"]>>;
}

/** The reviews about which the events decide. */
export const reviewsOf = (
  events: ReadonlyArray<EventRow>,
  sinces: Facts["sinces"],
): ReadonlyArray<StaySince> =>
  events
    .filter(({ kind }) => kind === "issue.statusChanged")
    .flatMap((event, position) => {
      const since = sinces[position] ?? null;
      return since === null || verdictOf(event) === null
        ? []
        : [{ issueId: event.subjectId, since }];
    });

/** The runs of events and hand-ins. */
export const runsOf = (
  events: ReadonlyArray<EventRow>,
  handIns: Facts["handIns"],
): ReadonlyArray<string> => [
  ...new Set(
    [...events.map(({ data }) => data["runId"]), ...handIns].filter((id) => typeof id === "string"),
  ),
];

/** The id of the rows of an agent in a project; an empty project stands for all. */
export const agentRow = (projectId: string, agentId: string): string =>
  JSON.stringify([projectId, agentId]);

const agentCountersOf = (
  event: EventRow,
  run: Facts["runs"][number] | undefined,
): ReadonlyArray<string> => {
  const verdict = verdictOf(event);
  if (verdict !== null) return [verdict];
  const counters = countersOf(event).filter((name) => name.startsWith("run."));
  if (event.kind !== "issue.finished" || run === undefined) return counters;
  const millis = Date.parse(event.createdAt) - Date.parse(run.startedAt);
  return [...counters, Histogram.counter("ms", Math.max(0, millis))];
};

export const ofEvents = (
  events: ReadonlyArray<EventRow>,
  { handIns, runs: stored, sinces }: Facts,
): ReadonlyArray<Counted> => {
  const runs = new Map(stored.map((run) => [run.id, run]));
  // A transaction may change a status twice: the second stay starts when the first one ended.
  const changed = new Map<string, Timestamp>();
  let ends = 0;
  let reviews = 0;
  return events.flatMap((event): ReadonlyArray<Counted> => {
    const { createdAt: at, data, kind, projectId, subjectId } = event;
    const ids = ["", projectId ?? ""];
    const counted: Array<Counted> = [{ at, kind: "events", ids, counters: countersOf(event) }];
    const before = changed.get(subjectId);
    if (kind === "issue.created" || kind === "issue.statusChanged") changed.set(subjectId, at);
    let runId = data["runId"];
    if (kind === "issue.statusChanged") {
      const found = sinces[ends++] ?? null;
      runId = found === null || verdictOf(event) === null ? null : handIns[reviews++];
      const since = before === at ? at : found;
      if (since !== null) {
        counted.push({ at, kind: "stays", ids, counters: [stayOf(event, since)] });
      }
    }
    const run = typeof runId === "string" ? runs.get(runId) : undefined;
    const agentId = run?.agentId ?? data["agentId"];
    if (typeof agentId === "string") {
      counted.push({
        at,
        kind: "agents",
        ids: ids.map((id) => agentRow(id, agentId)),
        counters: agentCountersOf(event, run),
      });
    }
    return counted;
  });
};

/** Outcomes of calls that reached their server, and whether they are errors. */
const reached: Partial<Record<CallOutcome, boolean>> = {
  ok: false,
  cancelled: false,
  error: true,
  failing: true,
  timeout: true,
  crashed: true,
};

export const ofCalls = (calls: ReadonlyArray<ToolCallRow>): ReadonlyArray<Counted> =>
  calls.flatMap(({ durationMs, outcome, serverId, startedAt: at }) => {
    const isError = reached[outcome];
    if (serverId === null || isError === undefined) return [];
    return [
      {
        at,
        kind: "calls",
        ids: [serverId],
        counters: ["calls", ...(isError ? ["errors"] : []), Histogram.counter("ms", durationMs)],
      },
    ];
  });
