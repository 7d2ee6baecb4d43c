import { Agent, Heartbeat, Id, Issue, Run } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { paging } from "./Query.ts";

const agent = { agentId: Id.HostId };
const run = { agentId: Id.HostId, runId: Id.ServiceId };

const list = HttpApiEndpoint.get("list", "/api/agents", {
  query: paging,
  success: Schema.Array(Agent.Agent),
}).annotateMerge(
  about({
    summary: "List agents",
    description: "Those that are registered, newest first unless `order` says otherwise; paged.",
    access: viewer,
  }),
);

const put = HttpApiEndpoint.put("put", "/api/agents/:agentId", {
  params: agent,
  payload: Agent.AgentUpdate.annotate({ examples: [{ name: "Operations" }] }),
  success: Agent.Agent,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Register or rename an agent",
    description: "An agent that is not known is registered.",
    access: { role: "Admin", cookie: true, only: "unbound" },
  }),
);

const heartbeat = HttpApiEndpoint.post("heartbeat", "/api/agents/:agentId/heartbeat", {
  params: agent,
  payload: Heartbeat.Heartbeat.annotate({
    examples: [{}, { capacity: 2, leaseSeconds: 120, runs: ["run_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA"] }],
  }),
  success: Heartbeat.HeartbeatAnswer,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "An agent is alive",
    description:
      "Renews the named runs, claims up to `capacity` new issues, and tells which runs to stop. A body of `{}`, or none, is all defaults.",
    access: { ...editor, only: "agent" },
  }),
);

const turn = HttpApiEndpoint.post("turn", "/api/agents/:agentId/runs/:runId/turn", {
  params: run,
  success: Heartbeat.TurnAnswer,
  error: [Problem.NotFound, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "The boundary between two turns",
    description:
      "Renews the lease and says whether to go on. A run that was told to stop ends by being told so here.",
    access: { ...editor, only: "agent" },
  }),
);

const finish = HttpApiEndpoint.post("finish", "/api/agents/:agentId/runs/:runId/finish", {
  params: run,
  payload: Heartbeat.Finish.annotate({
    examples: [{ outcome: "resolved", comment: "Keys are rotated." }],
  }),
  success: Issue.Issue,
  error: [Problem.NotFound, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "A run hands its issue in",
    description: "Answers the issue as it is then. The comment is by the agent of the path.",
    access: { ...editor, only: "agent" },
  }),
);

const runs = HttpApiEndpoint.get("runs", "/api/agents/:agentId/runs", {
  params: agent,
  query: { ...paging, status: Schema.optionalKey(Run.RunStatus) },
  success: Schema.Array(Run.Run),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List an agent's runs",
    description:
      "Newest first unless `order` says otherwise; paged. After a lost heartbeat answer this tells what the agent holds.",
    access: viewer,
  }),
);

/** Agents, and the host's side of their work. */
export class AgentsApi extends HttpApiGroup.make("agents")
  .add(list, put, heartbeat, turn, finish, runs)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Agents",
      description: "Agents, and the host's side of their work.",
    }),
  ) {}
