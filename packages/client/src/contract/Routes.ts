// Written by `npm run openapi` from the contract in packages/http/src/api.

import type { Route } from "../Route.ts";

/** How each method travels. */
export const routes: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  issues: {
    list: { method: "GET", path: "/api/projects/{projectId}/issues", returns: "pages" },
    create: {
      method: "POST",
      path: "/api/projects/{projectId}/issues",
      returns: "json",
      takesKey: true,
      body: "json",
    },
    listAcross: { method: "GET", path: "/api/projects/issues", returns: "pages" },
    get: { method: "GET", path: "/api/projects/issues/{issueId}", returns: "json" },
    update: {
      method: "PUT",
      path: "/api/projects/issues/{issueId}",
      returns: "json",
      body: "json",
    },
    delete: { method: "DELETE", path: "/api/projects/issues/{issueId}", returns: "nothing" },
    close: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/close",
      returns: "nothing",
      query: ["force"],
    },
    pause: { method: "POST", path: "/api/projects/issues/{issueId}/pause", returns: "nothing" },
    resume: { method: "POST", path: "/api/projects/issues/{issueId}/resume", returns: "nothing" },
    readiness: { method: "GET", path: "/api/projects/issues/{issueId}/readiness", returns: "json" },
    activity: { method: "GET", path: "/api/projects/issues/{issueId}/activity", returns: "pages" },
  },
  comments: {
    list: { method: "GET", path: "/api/projects/issues/{issueId}/comments", returns: "pages" },
    create: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/comments",
      returns: "json",
      takesKey: true,
      body: "json",
    },
  },
  links: {
    list: { method: "GET", path: "/api/projects/issues/{issueId}/links", returns: "pages" },
    create: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/links",
      returns: "json",
      takesKey: true,
      body: "json",
    },
    delete: { method: "DELETE", path: "/api/projects/links/{linkId}", returns: "nothing" },
  },
  questions: {
    ask: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/questions",
      returns: "json",
      takesKey: true,
      body: "json",
    },
    list: { method: "GET", path: "/api/projects/issues/{issueId}/questions", returns: "pages" },
    get: { method: "GET", path: "/api/projects/questions/{questionId}", returns: "json" },
    withdraw: {
      method: "DELETE",
      path: "/api/projects/questions/{questionId}",
      returns: "nothing",
    },
    answer: {
      method: "POST",
      path: "/api/projects/questions/{questionId}/answer",
      returns: "json",
      takesKey: true,
      body: "json",
    },
  },
  attachments: {
    upload: {
      method: "POST",
      path: "/api/projects/issues/{issueId}/attachments",
      returns: "json",
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
    put: { method: "PUT", path: "/api/projects/{projectId}", returns: "json", body: "json" },
  },
  inbox: {
    list: { method: "GET", path: "/api/inbox", returns: "pages" },
  },
  agents: {
    list: { method: "GET", path: "/api/agents", returns: "pages" },
    get: { method: "GET", path: "/api/agents/{agentId}", returns: "json" },
    put: { method: "PUT", path: "/api/agents/{agentId}", returns: "json", body: "json" },
    delete: { method: "DELETE", path: "/api/agents/{agentId}", returns: "nothing" },
    heartbeat: {
      method: "POST",
      path: "/api/agents/{agentId}/heartbeat",
      returns: "json",
      body: "json",
    },
    turn: { method: "POST", path: "/api/agents/{agentId}/runs/{runId}/turn", returns: "json" },
    finish: {
      method: "POST",
      path: "/api/agents/{agentId}/runs/{runId}/finish",
      returns: "json",
      body: "json",
    },
    runs: { method: "GET", path: "/api/agents/{agentId}/runs", returns: "pages" },
  },
  tools: {
    list: { method: "GET", path: "/api/agents/{agentId}/tools", returns: "json" },
    call: {
      method: "POST",
      path: "/api/agents/{agentId}/tools/call",
      returns: "json",
      body: "json",
    },
    calls: { method: "GET", path: "/api/mcp/calls", returns: "pages" },
  },
  mcp: {
    call: { method: "POST", path: "/mcp", returns: "response", query: ["tools"], body: "json" },
    listen: { method: "GET", path: "/mcp", returns: "response" },
    end: { method: "DELETE", path: "/mcp", returns: "response" },
  },
  catalog: {
    list: { method: "GET", path: "/api/mcp/catalog", returns: "json" },
    create: {
      method: "POST",
      path: "/api/mcp/catalog",
      returns: "json",
      takesKey: true,
      body: "json",
    },
    get: { method: "GET", path: "/api/mcp/catalog/{entryId}", returns: "json" },
    put: { method: "PUT", path: "/api/mcp/catalog/{entryId}", returns: "json", body: "json" },
    delete: { method: "DELETE", path: "/api/mcp/catalog/{entryId}", returns: "nothing" },
    runtime: { method: "GET", path: "/api/mcp/runtime", returns: "json" },
  },
  servers: {
    list: { method: "GET", path: "/api/mcp/installed", returns: "json" },
    install: {
      method: "POST",
      path: "/api/mcp/installed",
      returns: "json",
      takesKey: true,
      body: "json",
    },
    get: { method: "GET", path: "/api/mcp/installed/{serverId}", returns: "json" },
    update: { method: "PUT", path: "/api/mcp/installed/{serverId}", returns: "json", body: "json" },
    uninstall: { method: "DELETE", path: "/api/mcp/installed/{serverId}", returns: "nothing" },
    verify: {
      method: "POST",
      path: "/api/mcp/installed/{serverId}/verify",
      returns: "json",
      query: ["accept"],
    },
    enable: { method: "POST", path: "/api/mcp/installed/{serverId}/enable", returns: "nothing" },
    disable: { method: "POST", path: "/api/mcp/installed/{serverId}/disable", returns: "nothing" },
    tools: { method: "GET", path: "/api/mcp/installed/{serverId}/tools", returns: "json" },
    acceptTools: {
      method: "POST",
      path: "/api/mcp/installed/{serverId}/tools/accept",
      returns: "json",
      body: "json",
    },
    blockTools: {
      method: "POST",
      path: "/api/mcp/installed/{serverId}/tools/block",
      returns: "json",
      body: "json",
    },
    unblockTools: {
      method: "POST",
      path: "/api/mcp/installed/{serverId}/tools/unblock",
      returns: "json",
      body: "json",
    },
    access: { method: "GET", path: "/api/mcp/installed/{serverId}/access", returns: "json" },
    putAccess: {
      method: "PUT",
      path: "/api/mcp/installed/{serverId}/access",
      returns: "json",
      body: "json",
    },
    import: { method: "POST", path: "/api/mcp/import", returns: "json", body: "json" },
  },
  authorization: {
    begin: { method: "POST", path: "/api/mcp/installed/{serverId}/authorize", returns: "json" },
    callback: { method: "GET", path: "/oauth/callback", returns: "text" },
    client: { method: "GET", path: "/oauth/client", returns: "json" },
  },
  keys: {
    list: { method: "GET", path: "/api/keys", returns: "pages" },
    create: { method: "POST", path: "/api/keys", returns: "json", body: "json" },
    delete: { method: "DELETE", path: "/api/keys/{keyId}", returns: "nothing" },
  },
  session: {
    get: { method: "GET", path: "/api/session", returns: "json" },
    end: { method: "DELETE", path: "/api/session", returns: "nothing" },
    create: { method: "POST", path: "/api/session", returns: "json", body: "json" },
    token: { method: "POST", path: "/api/session/token", returns: "json" },
  },
  events: {
    subscribe: { method: "GET", path: "/api/events", returns: "events" },
  },
  system: {
    metrics: { method: "GET", path: "/metrics", returns: "text" },
    health: { method: "GET", path: "/healthz", returns: "json" },
    ready: { method: "GET", path: "/readyz", returns: "json" },
    openapi: { method: "GET", path: "/openapi.json", returns: "json" },
    docs: { method: "GET", path: "/docs", returns: "text" },
  },
};
