import { Agent, Heartbeat, Id, Issue, Run } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { paging } from "./Query.ts";

const agent = {
  agentId: Id.HostId.annotateKey({ description: "The agent's id, chosen by the host." }),
};
const run = { ...agent, runId: Id.ServiceId.annotateKey({ description: "The run's id." }) };

const list = HttpApiEndpoint.get("list", "/api/agents", {
  query: paging,
  success: Schema.Array(Agent.Agent),
}).annotateMerge(
  about({
    summary: "List agents",
    description: "Returns the registered agents, newest first by default; paged.",
    access: viewer,
  }),
);

const get = HttpApiEndpoint.get("get", "/api/agents/:agentId", {
  params: agent,
  success: Agent.Agent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get an agent",
    description: "`activeRuns` counts the runs in projects that the caller may see.",
    access: viewer,
  }),
);

const put = HttpApiEndpoint.put("put", "/api/agents/:agentId", {
  params: agent,
  payload: Agent.AgentUpdate.annotate({
    examples: [{ name: "Operations" }, { paused: true }, { toolMode: "search" }],
  }),
  success: Agent.Agent,
  error: [Problem.NotFound, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Register or change an agent",
    description:
      "Registers the agent if it is unknown. `paused: true` stops its live runs at their next turn. While it is paused, its heartbeats claim no issues and its calls of MCP tools fail with 409.",
    access: { role: "Admin", cookie: true, only: "unbound" },
  }),
);

const remove = HttpApiEndpoint.delete("delete", "/api/agents/:agentId", {
  params: agent,
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.InUse],
}).annotateMerge(
  about({
    summary: "Delete an agent",
    description:
      "Also removes its access to MCP servers. Its ended runs are retained. Responds with 409 if the agent holds a live run or has assigned issues. A heartbeat, an assignment or PUT registers the agent again.",
    access: { role: "Admin", cookie: true, only: "unbound" },
  }),
);

const heartbeat = HttpApiEndpoint.post("heartbeat", "/api/agents/:agentId/heartbeat", {
  params: agent,
  payload: Heartbeat.Heartbeat.annotate({
    examples: [{}, { capacity: 2, leaseSeconds: 120, runs: ["run_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA"] }],
  }),
  success: Heartbeat.HeartbeatAnswer,
  error: [Problem.NotFound, Problem.LimitExceeded],
}).annotateMerge(
  about({
    summary: "Send a heartbeat",
    description:
      "Renews the leases of the named runs, picks up at most `capacity` new issues, and lists the runs to stop. Registers the agent if it is unknown. An omitted body or `{}` uses the default of every field.",
    access: { ...editor, only: "agent" },
    bodyIsOptional: true,
  }),
);

const turn = HttpApiEndpoint.post("turn", "/api/agents/:agentId/runs/:runId/turn", {
  params: run,
  payload: Heartbeat.Turn.annotate({ examples: [{ note: "Running the tests" }] }),
  success: Heartbeat.TurnAnswer,
  error: [Problem.NotFound, Problem.RunEnded, Problem.UsageKey],
}).annotateMerge(
  about({
    summary: "Report the end of a turn",
    description:
      "Renews the lease and returns whether to continue. After `stop` the run has ended, and the agent must leave the issue as it is. An omitted body is `{}`.",
    access: { ...editor, only: "agent" },
    bodyIsOptional: true,
  }),
);

const finish = HttpApiEndpoint.post("finish", "/api/agents/:agentId/runs/:runId/finish", {
  params: run,
  payload: Heartbeat.Finish.annotate({
    examples: [{ outcome: "resolved", comment: "Keys are rotated." }],
  }),
  success: Issue.ChangedIssue,
  error: [Problem.NotFound, Problem.RunEnded, Problem.UsageKey],
}).annotateMerge(
  about({
    summary: "Finish a run",
    description:
      "Hands the issue in and returns it. The author of the comment is the agent in the path.",
    access: { ...editor, only: "agent" },
  }),
);

const runs = HttpApiEndpoint.get("runs", "/api/agents/:agentId/runs", {
  params: agent,
  query: {
    ...paging,
    status: Schema.optionalKey(Run.RunStatus).annotateKey({
      description: "Only runs with this status. A run whose lease expired counts as `ended`.",
    }),
  },
  success: Schema.Array(Run.Run),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List the runs of an agent",
    description:
      "Newest first by default; paged. After a lost heartbeat response, this lists what the agent holds.",
    access: viewer,
  }),
);

/** Agents, and the host's side of their work. */
export class AgentsApi extends HttpApiGroup.make("agents")
  .add(list, get, put, remove, heartbeat, turn, finish, runs)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Agents",
      description: "Agents, and the runs in which they execute issues.",
    }),
  ) {}
