import type { GroupUsage, RunUsage } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "../project/DefaultProject.ts";

/** The cost in dollars; a `+` stands for requests without a known cost. */
export const costOf = ({
  costMicros,
  requestsWithoutCost,
}: Pick<RunUsage, "costMicros" | "requestsWithoutCost">): string =>
  `$${(costMicros / 1e6).toFixed(2)}${requestsWithoutCost > 0 ? "+" : ""}`;

const sums = [
  "runs",
  "runsWithoutUsage",
  "requests",
  "inputTokens",
  "cacheReadTokens",
  "outputTokens",
  "costMicros",
  "requestsWithoutCost",
] as const;
type Sums = Pick<GroupUsage, (typeof sums)[number]>;

const totalOf = (groups: ReadonlyArray<GroupUsage>): Sums =>
  Object.fromEntries(
    sums.map((name) => [name, groups.reduce((total, group) => total + group[name], 0)]),
  ) as unknown as Sums;

const cellsOf = (key: string, group: Sums) => [
  key,
  group.runs,
  group.runsWithoutUsage,
  group.requests,
  group.inputTokens,
  group.cacheReadTokens,
  group.outputTokens,
  costOf(group),
];

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags &
    DefaultProject.Flags & {
      readonly limit: number;
      readonly by: "agent" | "project" | "model" | "issue" | "day";
      readonly from: Option.Option<string>;
      readonly to: Option.Option<string>;
      readonly agent: Option.Option<string>;
    },
) {
  const access = yield* Connection.open(flags);
  const query = {
    groupBy: flags.by,
    limit: Lists.pageSize(flags.limit),
    from: yield* Duration.givenTime(flags.from),
    to: yield* Duration.givenTime(flags.to),
    agentId: Option.getOrUndefined(flags.agent),
    projectId: (yield* DefaultProject.of(access, flags)) ?? undefined,
  };
  const groups = yield* Lists.take(access, flags.limit, (client, options) =>
    client.usage.list(query, options),
  );
  const total = totalOf(groups);
  // A run may be in several groups of models and of days.
  const isDisjoint = flags.by !== "model" && flags.by !== "day";
  const [name = "", runs = "", ...others] = cellsOf("total", total);
  yield* Output.list(
    flags.json,
    groups,
    [flags.by.toUpperCase(), "RUNS", "SILENT", "REQUESTS", "INPUT", "CACHED", "OUTPUT", "COST"],
    [
      ...groups.map((group) => cellsOf(group.key, group)),
      ...(groups.length === 0 ? [] : [[name, isDisjoint ? runs : "", ...others]]),
    ],
  );
});
