import { Schema } from "effect";
import { HostId } from "../Id.ts";
import { type IssueStatus, StatusCounts } from "../issues/Issue.ts";
import { Timestamp } from "../Timestamp.ts";

/** The statistics of a time window. */

export const StatsWindow = Schema.Literals(["24h", "7d", "30d"]);
export type StatsWindow = typeof StatsWindow.Type;

export const StatsFilter = Schema.Struct({
  projectId: Schema.optionalKey(HostId).annotateKey({
    description:
      "Only statistics of this project, without servers. Default: all projects that the caller may see. For a project that the caller may not see, all numbers are 0.",
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
  median: seconds("The median of the stays, in seconds"),
  p90: seconds("The 90th percentile of the stays, in seconds"),
}).annotate({
  identifier: "TimeInStatus",
  description: "The time that issues spent in a status, accurate to 10 %.",
});

const stay = (status: IssueStatus) =>
  Stay.annotateKey({
    description:
      status === "Resolved" || status === "Closed"
        ? `Stays in ${status} that ended in the window.`
        : `Stays in ${status} that ended in the window, and the issues that are ${status} now.`,
  });

const runCounts = {
  started: count("The number of runs that started."),
  resolved: count("Runs that finished as `resolved`."),
  review: count("Runs that finished as `review`."),
  released: count("Runs that finished as `released`."),
  failed: count("Runs that finished as `failed`."),
  expired: count("Runs whose lease expired."),
};
const RunCounts = Schema.Struct(runCounts).annotate({
  identifier: "RunCounts",
  description: "The number of runs by how they started and ended.",
});

const AgentNumbers = Schema.Struct({
  ...runCounts,
  accepted: count("The number of its reviews that ended as Resolved."),
  returned: count("The number of its reviews after which there is more to do."),
  median: seconds("The median time from the start of a run to its hand-in, in seconds"),
}).annotate({
  identifier: "AgentNumbers",
  description: "Runs of an agent, and what became of its reviews. `median` is accurate to 10 %.",
});
export type AgentNumbers = typeof AgentNumbers.Type;

export const AgentStatistics = Schema.Struct({
  agentId: Schema.String.annotateKey({ description: "The agent." }),
  current: AgentNumbers.annotateKey({ description: "The numbers of the window." }),
  previous: AgentNumbers.annotateKey({
    description: "The numbers of the same time before the window.",
  }),
}).annotate({ identifier: "AgentStatistics", description: "Statistics of an agent." });
export interface AgentStatistics extends Schema.Schema.Type<typeof AgentStatistics> {}

export const ServerStatistics = Schema.Struct({
  serverId: Schema.String.annotateKey({ description: "The installed server." }),
  name: Schema.String.annotateKey({ description: "Its name." }),
  calls: count("The number of tool calls that reached the server."),
  errors: count("The number of these calls that failed, timed out or returned an error."),
  p50: seconds("The median duration, in milliseconds"),
  p95: seconds("The 95th percentile of the duration, in milliseconds"),
}).annotate({
  identifier: "ServerStatistics",
  description: "Tool calls of an installed server. Durations are accurate to 10 %.",
});

export const Statistics = Schema.Struct({
  window: StatsWindow.annotateKey({ description: "The requested window." }),
  from: Timestamp.annotateKey({ description: "The start of the window." }),
  to: Timestamp.annotateKey({
    description: "The end of the window, which is the end of the current hour or day.",
  }),
  asOf: Timestamp.annotateKey({
    description:
      "The time up to which everything is counted. Usually a few seconds ago; earlier while a server counts a log for the first time.",
  }),
  bucket: Schema.Literals(["hour", "day"]).annotateKey({
    description: "The length of each element of `series`.",
  }),
  issues: StatusCounts.annotateKey({ description: "The number of issues by status, now." }),
  series: Schema.Array(
    Schema.Struct({
      at: Timestamp.annotateKey({ description: "The start of the hour or day." }),
      created: count("The number of issues that were created."),
      resolved: count("The number of times that an issue became Resolved."),
      closed: count("The number of times that an issue became Closed."),
      failed: count("The number of runs that finished as `failed`."),
      expired: count("The number of runs whose lease expired."),
    }),
  ).annotateKey({ description: "Each hour or day of the window, oldest first." }),
  timeInStatus: Schema.Struct({
    Open: stay("Open"),
    InProgress: stay("InProgress"),
    WaitingOnDependency: stay("WaitingOnDependency"),
    PendingReview: stay("PendingReview"),
    Resolved: stay("Resolved"),
    Closed: stay("Closed"),
  }).annotateKey({
    description:
      "The time that issues spent in each status. An issue that is still in its status counts with the time until now. Of more than 1,000 issues in a status, about 1,000 are read, at most once a minute.",
  }),
  runs: RunCounts.annotateKey({ description: "Runs of the window." }),
  previous: Schema.Struct({
    created: count("The number of issues that were created."),
    resolved: count("The number of times that an issue became Resolved."),
    closed: count("The number of times that an issue became Closed."),
    runs: RunCounts.annotateKey({ description: "Runs." }),
  }).annotateKey({ description: "The sums of the same time before `from`." }),
  agents: Schema.Struct({
    active: count("The number of agents with a heartbeat in the last 10 minutes."),
    silent: count("The number of other registered agents."),
  }).annotateKey({ description: "Agents of all projects, now." }),
  servers: Schema.NullOr(Schema.Array(ServerStatistics)).annotateKey({
    description:
      "Installed servers, oldest first. Null unless the caller is an Admin that is bound to no project and omits `projectId`.",
  }),
}).annotate({ identifier: "Statistics", description: "Statistics of a window." });
export interface Statistics extends Schema.Schema.Type<typeof Statistics> {}
