import type { EventKind, EventRow } from "../../events/Event.ts";
import type { CallOutcome, ToolCallRow } from "../../mcp/ToolCall.ts";
import type { Timestamp } from "../../Timestamp.ts";
import type { StatsRow, StayEnd } from "../StatsStore.ts";
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

/** `sinces` contains the start of each of `endsOf(events)`. */
export const ofEvents = (
  events: ReadonlyArray<EventRow>,
  sinces: ReadonlyArray<Timestamp | null>,
): ReadonlyArray<Counted> => {
  // A transaction may change a status twice: the second stay starts when the first one ended.
  const changed = new Map<string, Timestamp>();
  let ends = 0;
  return events.flatMap((event): ReadonlyArray<Counted> => {
    const { createdAt: at, kind, projectId, subjectId } = event;
    const ids = ["", projectId ?? ""];
    const happened = { at, kind: "events", ids, counters: countersOf(event) } as const;
    const before = changed.get(subjectId);
    if (kind === "issue.created" || kind === "issue.statusChanged") changed.set(subjectId, at);
    if (kind !== "issue.statusChanged") return [happened];
    const stored = sinces[ends++] ?? null;
    const since = before === at ? at : stored;
    return since === null
      ? [happened]
      : [happened, { at, kind: "stays", ids, counters: [stayOf(event, since)] }];
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
