// Written by `npm run openapi` from the contract in packages/http/src/api.

import type { Route } from "../Route.ts";

/** The route of each method. */
export const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  issues: {
    list: { method: "GET", path: "/api/projects/{projectId}/issues", returns: "pages" },
    create: {
      method: "POST",
      path: "/api/projects/{projectId}/issues",
      takesKey: true,
      body: "json",
    },
    listAcross: { method: "GET", path: "/api/projects/issues", returns: "pages" },
    plan: { method: "POST", path: "/api/projects/{projectId}/plan", takesKey: true, body: "json" },
    get: { method: "GET", path: "/api/projects/issues/{issueId}" },
    update: { method: "PUT", path: "/api/projects/issues/{issueId}", body: "json" },
    delete: { method: "DELETE", path: "/api/projects/issues/{issueId}", returns: "nothing" },
    close: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/close",
      returns: "nothing",
      query: ["force"],
    },
    pause: { method: "POST", path: "/api/projects/issues/{issueId}/pause", returns: "nothing" },
    resume: { method: "POST", path: "/api/projects/issues/{issueId}/resume", returns: "nothing" },
    readiness: { method: "GET", path: "/api/projects/issues/{issueId}/readiness" },
    graph: { method: "GET", path: "/api/projects/issues/{issueId}/graph" },
    activity: { method: "GET", path: "/api/projects/issues/{issueId}/activity", returns: "pages" },
  },
  comments: {
    list: { method: "GET", path: "/api/projects/issues/{issueId}/comments", returns: "pages" },
    create: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/comments",
      takesKey: true,
      body: "json",
    },
  },
  links: {
    list: { method: "GET", path: "/api/projects/issues/{issueId}/links", returns: "pages" },
    create: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/links",
      takesKey: true,
      body: "json",
    },
    delete: { method: "DELETE", path: "/api/projects/links/{linkId}", returns: "nothing" },
  },
  questions: {
    ask: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/questions",
      takesKey: true,
      body: "json",
    },
    list: { method: "GET", path: "/api/projects/issues/{issueId}/questions", returns: "pages" },
    get: { method: "GET", path: "/api/projects/questions/{questionId}" },
    withdraw: {
      method: "DELETE",
      path: "/api/projects/questions/{questionId}",
      returns: "nothing",
    },
    answer: {
      method: "POST",
      path: "/api/projects/questions/{questionId}/answer",
      takesKey: true,
      body: "json",
    },
  },
  effects: {
    list: { method: "GET", path: "/api/projects/issues/{issueId}/effects" },
    settle: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/effects/{callId}/settle",
      body: "json",
    },
    reset: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/effects/reset",
      returns: "nothing",
    },
  },
  attachments: {
    upload: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/attachments",
      takesKey: true,
      body: "form",
    },
    list: { method: "GET", path: "/api/projects/issues/{issueId}/attachments", returns: "pages" },
    download: {
      method: "GET",
      path: "/api/projects/attachments/{attachmentId}/download",
      returns: "response",
    },
    delete: {
      method: "DELETE",
      path: "/api/projects/attachments/{attachmentId}",
      returns: "nothing",
    },
  },
  projects: {
    list: { method: "GET", path: "/api/projects", returns: "pages" },
    put: { method: "PUT", path: "/api/projects/{projectId}", body: "json" },
    graph: { method: "GET", path: "/api/projects/{projectId}/graph" },
  },
  inbox: {
    list: { method: "GET", path: "/api/inbox", returns: "pages" },
  },
  stats: {
    get: { method: "GET", path: "/api/stats" },
  },
  agents: {
    list: { method: "GET", path: "/api/agents", returns: "pages" },
    get: { method: "GET", path: "/api/agents/{agentId}" },
    put: { method: "PUT", path: "/api/agents/{agentId}", body: "json" },
    delete: { method: "DELETE", path: "/api/agents/{agentId}", returns: "nothing" },
    heartbeat: { method: "POST", path: "/api/agents/{agentId}/heartbeat", body: "json" },
    turn: { method: "POST", path: "/api/agents/{agentId}/runs/{runId}/turn", body: "json" },
    finish: { method: "POST", path: "/api/agents/{agentId}/runs/{runId}/finish", body: "json" },
    runs: { method: "GET", path: "/api/agents/{agentId}/runs", returns: "pages" },
  },
  runs: {
    list: { method: "GET", path: "/api/runs", returns: "pages" },
    get: { method: "GET", path: "/api/runs/{runId}" },
    timeline: {
      method: "GET",
      path: "/api/agents/{agentId}/runs/{runId}/timeline",
      returns: "pages",
    },
    writeLog: { method: "POST", path: "/api/agents/{agentId}/runs/{runId}/log", body: "json" },
    readLog: { method: "GET", path: "/api/agents/{agentId}/runs/{runId}/log" },
  },
  usage: {
    report: { method: "POST", path: "/api/agents/{agentId}/runs/{runId}/usage", body: "json" },
    ofIssue: { method: "GET", path: "/api/projects/issues/{issueId}/usage" },
    list: { method: "GET", path: "/api/usage", returns: "pages" },
  },
  tools: {
    list: { method: "GET", path: "/api/agents/{agentId}/tools" },
    call: { method: "POST", path: "/api/agents/{agentId}/tools/call", body: "json" },
    calls: { method: "GET", path: "/api/mcp/calls", returns: "pages" },
    record: { method: "GET", path: "/api/mcp/calls/{callId}" },
    callsOfRun: {
      method: "GET",
      path: "/api/agents/{agentId}/runs/{runId}/calls",
      returns: "pages",
    },
  },
  mcp: {
    call: { method: "POST", path: "/mcp", returns: "response", query: ["tools"], body: "json" },
    listen: { method: "GET", path: "/mcp", returns: "response" },
    end: { method: "DELETE", path: "/mcp", returns: "response" },
  },
  catalog: {
    list: { method: "GET", path: "/api/mcp/catalog" },
    create: { method: "POST", path: "/api/mcp/catalog", takesKey: true, body: "json" },
    get: { method: "GET", path: "/api/mcp/catalog/{entryId}" },
    put: { method: "PUT", path: "/api/mcp/catalog/{entryId}", body: "json" },
    delete: { method: "DELETE", path: "/api/mcp/catalog/{entryId}", returns: "nothing" },
    runtime: { method: "GET", path: "/api/mcp/runtime" },
  },
  servers: {
    list: { method: "GET", path: "/api/mcp/installed" },
    install: { method: "POST", path: "/api/mcp/installed", takesKey: true, body: "json" },
    get: { method: "GET", path: "/api/mcp/installed/{serverId}" },
    update: { method: "PUT", path: "/api/mcp/installed/{serverId}", body: "json" },
    uninstall: { method: "DELETE", path: "/api/mcp/installed/{serverId}", returns: "nothing" },
    verify: { method: "POST", path: "/api/mcp/installed/{serverId}/verify", query: ["accept"] },
    enable: { method: "POST", path: "/api/mcp/installed/{serverId}/enable", returns: "nothing" },
    disable: { method: "POST", path: "/api/mcp/installed/{serverId}/disable", returns: "nothing" },
    tools: { method: "GET", path: "/api/mcp/installed/{serverId}/tools" },
    acceptTools: {
      method: "POST",
      path: "/api/mcp/installed/{serverId}/tools/accept",
      body: "json",
    },
    blockTools: { method: "POST", path: "/api/mcp/installed/{serverId}/tools/block", body: "json" },
    unblockTools: {
      method: "POST",
      path: "/api/mcp/installed/{serverId}/tools/unblock",
      body: "json",
    },
    access: { method: "GET", path: "/api/mcp/installed/{serverId}/access", returns: "pages" },
    putAccess: { method: "PUT", path: "/api/mcp/installed/{serverId}/access", body: "json" },
    import: { method: "POST", path: "/api/mcp/import", body: "json" },
  },
  authorization: {
    begin: { method: "POST", path: "/api/mcp/installed/{serverId}/authorize" },
    callback: { method: "GET", path: "/oauth/callback", returns: "text" },
    client: { method: "GET", path: "/oauth/client" },
  },
  keys: {
    list: { method: "GET", path: "/api/keys", returns: "pages" },
    create: { method: "POST", path: "/api/keys", body: "json" },
    names: { method: "GET", path: "/api/session/names" },
    delete: { method: "DELETE", path: "/api/keys/{keyId}", returns: "nothing" },
  },
  session: {
    get: { method: "GET", path: "/api/session" },
    end: { method: "DELETE", path: "/api/session", returns: "nothing" },
    create: { method: "POST", path: "/api/session", body: "json" },
    token: { method: "POST", path: "/api/session/token" },
    list: { method: "GET", path: "/api/sessions", returns: "pages" },
    endOther: { method: "DELETE", path: "/api/sessions/{sessionId}", returns: "nothing" },
  },
  events: {
    subscribe: { method: "GET", path: "/api/events", returns: "events" },
  },
  system: {
    metrics: { method: "GET", path: "/metrics", returns: "text" },
    health: { method: "GET", path: "/healthz" },
    ready: { method: "GET", path: "/readyz" },
    openapi: { method: "GET", path: "/openapi.json" },
    docs: { method: "GET", path: "/docs", returns: "text" },
    apiPage: { method: "GET", path: "/docs/api", returns: "text" },
  },
};
