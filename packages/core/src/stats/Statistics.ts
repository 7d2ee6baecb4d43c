import { Schema } from "effect";
import { HostId } from "../Id.ts";
import { type IssueStatus, StatusCounts } from "../issues/Issue.ts";
import { Timestamp } from "../Timestamp.ts";

/** What happened, in numbers. */

export const StatsWindow = Schema.Literals(["24h", "7d", "30d"]);
export type StatsWindow = typeof StatsWindow.Type;

export const StatsFilter = Schema.Struct({
  projectId: Schema.optionalKey(HostId).annotateKey({
    description:
      "Numbers of this project only, and no servers. Default: all projects that the caller may see. A project that the caller may not see has no numbers.",
  }),
  window: Schema.optionalKey(StatsWindow).annotateKey({
    description:
      "`24h` (the default) and `7d`: whole hours up to the end of the current one. `30d`: 30 whole days up to the end of the current one. In UTC.",
  }),
});
export interface StatsFilter extends Schema.Schema.Type<typeof StatsFilter> {}

const count = (description: string) => Schema.Int.annotateKey({ description });

const seconds = (description: string) =>
  Schema.NullOr(Schema.Number).annotateKey({ description: `${description}; null without any.` });

const Stay = Schema.Struct({
  median: seconds("Half of the stays were at most this long, in seconds"),
  p90: seconds("90 % of the stays were at most this long, in seconds"),
}).annotate({
  identifier: "TimeInStatus",
  description: "How long issues stayed in a status. At most 10 % off.",
});

const stay = (status: IssueStatus) =>
  Stay.annotateKey({ description: `Stays in ${status} that ended in the window.` });

export const ServerStatistics = Schema.Struct({
  serverId: Schema.String.annotateKey({ description: "The installed server." }),
  name: Schema.String.annotateKey({ description: "Its name." }),
  calls: count("Tool calls that reached the server."),
  errors: count("Calls of these that failed, timed out, or returned an error."),
  p50: seconds("Half of the calls took at most this long, in milliseconds"),
  p95: seconds("95 % of the calls took at most this long, in milliseconds"),
}).annotate({
  identifier: "ServerStatistics",
  description: "Tool calls of an installed server. Durations are at most 10 % off.",
});

export const Statistics = Schema.Struct({
  window: StatsWindow.annotateKey({ description: "The window that was asked for." }),
  from: Timestamp.annotateKey({ description: "The start of the window." }),
  to: Timestamp.annotateKey({
    description: "The end of the window: when the current hour or day ends.",
  }),
  asOf: Timestamp.annotateKey({
    description:
      "Everything before this timestamp is counted. Usually at most a few seconds ago; earlier while a server counts a log that it has not counted before.",
  }),
  bucket: Schema.Literals(["hour", "day"]).annotateKey({
    description: "How long each element of `series` is.",
  }),
  issues: StatusCounts.annotateKey({ description: "How many issues have each status now." }),
  series: Schema.Array(
    Schema.Struct({
      at: Timestamp.annotateKey({ description: "When the hour or day starts." }),
      created: count("Issues that were created."),
      resolved: count("Changes of a status to Resolved."),
      closed: count("Changes of a status to Closed."),
      failed: count("Runs that finished as `failed`."),
      expired: count("Runs whose lease expired."),
    }),
  ).annotateKey({ description: "Each hour or day of the window, oldest first." }),
  timeInStatus: Schema.Struct({
    Open: stay("Open"),
    InProgress: stay("InProgress"),
    WaitingOnDependency: stay("WaitingOnDependency"),
    PendingReview: stay("PendingReview"),
    Resolved: stay("Resolved"),
    Closed: stay("Closed"),
  }).annotateKey({ description: "How long issues stayed in each status, once they left it." }),
  runs: Schema.Struct({
    started: count("Runs that started in the window."),
    resolved: count("Runs that finished as `resolved`."),
    review: count("Runs that finished as `review`."),
    released: count("Runs that finished as `released`."),
    failed: count("Runs that finished as `failed`."),
    expired: count("Runs whose lease expired."),
  }).annotateKey({ description: "Runs of the window." }),
  agents: Schema.Struct({
    active: count("Agents with a heartbeat in the last 10 minutes."),
    silent: count("Registered agents without one."),
  }).annotateKey({ description: "Agents now, whatever the project." }),
  servers: Schema.NullOr(Schema.Array(ServerStatistics)).annotateKey({
    description:
      "Installed servers, oldest first. Null unless the caller is an Admin that is bound to no project and asks without `projectId`.",
  }),
}).annotate({ identifier: "Statistics", description: "What happened, in numbers." });
export interface Statistics extends Schema.Schema.Type<typeof Statistics> {}
