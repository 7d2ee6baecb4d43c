import type { Issue, Run } from "@quartermaster/client";
import { Effect } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import { age, nowMillis } from "./Agents.ts";

/** An agent is silent after this time without a sign of life, as in readiness. */
const silentMillis = 10 * 60_000;

const isStuck = ({ assignedAgentId, paused, status }: Issue): boolean =>
  paused || (status === "Open" && assignedAgentId === null);

/** Issues of a project that no heartbeat starts though nothing blocks them, with every reason. */
const stuckIn = (access: Api.Access, projectId: string) =>
  Effect.gen(function* () {
    const open = yield* Effect.forEach(
      ["Open", "InProgress", "WaitingOnDependency"] as const,
      (status) =>
        Lists.take(access, Number.POSITIVE_INFINITY, (client, options) =>
          client.issues.list({ projectId, status, limit: 500 }, options),
        ),
    );
    return yield* Effect.forEach(
      open.flat().filter(isStuck),
      (issue) =>
        Effect.map(
          Api.call(access, (client, options) =>
            client.issues.readiness({ issueId: issue.id }, options),
          ),
          ({ reasons }) => ({ issue, reasons }),
        ),
      { concurrency: 4 },
    );
  });

const runLine = (run: Run, now: number) =>
  `running   ${run.agentId}  ${run.issueId}  attempt ${run.attempt}, for ${age(run.startedAt, now)}`;

/** `quartermaster status`: what a person asks at night. */
export const run = Effect.fnUntraced(function* (
  flags: Connection.Flags & { readonly json: boolean; readonly project: ReadonlyArray<string> },
) {
  const access = yield* Connection.open(flags);
  const now = yield* nowMillis;
  const agents = yield* Lists.take(access, Number.POSITIVE_INFINITY, (client, options) =>
    client.agents.list({ limit: 500 }, options),
  );
  const silent = agents.filter(
    ({ lastHeartbeatAt }) =>
      lastHeartbeatAt === null || now - Date.parse(lastHeartbeatAt) > silentMillis,
  );
  const busy = agents.filter(({ activeRuns }) => activeRuns > 0);
  const runs = yield* Effect.forEach(
    busy,
    ({ id }) =>
      Lists.take(access, 100, (client, options) =>
        client.agents.runs({ agentId: id, status: "active", limit: 100 }, options),
      ),
    { concurrency: 4 },
  ).pipe(Effect.map((lists) => lists.flat()));
  // Only an Admin may see MCP servers: null for everyone else.
  const servers = yield* Api.call(access, (client, options) =>
    client.servers.list({}, options),
  ).pipe(
    Effect.catchIf(
      ({ problem }) => problem === "forbidden",
      () => Effect.succeed(null),
    ),
  );
  const serversOut = servers?.filter(({ status }) => status === "error") ?? null;
  const stuck = (yield* Effect.forEach(flags.project, (project) =>
    stuckIn(access, project),
  )).flat();
  const lines = [
    `Agents: ${agents.length}, silent: ${silent.length}. Issues running: ${runs.length}.`,
    ...silent.map(
      ({ id, lastHeartbeatAt }) => `silent    ${id}  last seen ${age(lastHeartbeatAt, now)}`,
    ),
    ...runs.map((run) => runLine(run, now)),
    ...(serversOut ?? []).map(({ name }) => `error     MCP server ${name}`),
    ...stuck.map(
      ({ issue, reasons }) =>
        `stuck     ${issue.id}  ${issue.title}: ${reasons.map(({ detail }) => detail).join(" ")}`,
    ),
  ].map(Output.cell);
  yield* Output.one(flags.json, { agents, silent, runs, serversOut, stuck }, lines);
});
