import type { AccessEntry, InstalledServer, Tool } from "@quartermaster/core";
import * as Table from "../sql/Table.ts";

export const servers = Table.make<InstalledServer.InstalledServerRow>(
  "mcp_servers",
  (cells, row) => ({
    seq: cells.plain("seq", row.seq),
    id: cells.plain("id", row.id),
    name: cells.plain("name", row.name),
    status: cells.plain("status", row.status),
    formerStatus: cells.plain("former_status", row.formerStatus),
    known: cells.boolean("known", row.known),
    toolsChanged: cells.boolean("tools_changed", row.toolsChanged),
    generation: cells.plain("generation", row.generation),
    toolsVersion: cells.plain("tools_version", row.toolsVersion),
    maxResultBytes: cells.plain("max_result_bytes", row.maxResultBytes),
    idleSeconds: cells.plain("idle_seconds", row.idleSeconds),
    callTimeoutSeconds: cells.plain("call_timeout_seconds", row.callTimeoutSeconds),
    callMaxSeconds: cells.plain("call_max_seconds", row.callMaxSeconds),
    onceErrors: cells.plain("once_errors", row.onceErrors),
    settle: cells.plain("settle", row.settle),
    sendContext: cells.boolean("send_context", row.sendContext),
    recordCalls: cells.plain("record_calls", row.recordCalls),
    createdAt: cells.plain("created_at", row.createdAt),
    updatedAt: cells.plain("updated_at", row.updatedAt),
    lastVerification: cells.json("last_verification", row.lastVerification),
    entry: cells.json("entry", row.entry),
    outage: cells.json("outage", row.outage),
    hasResources: cells.json("has_resources", row.hasResources),
    instructions: cells.json("instructions", row.instructions),
    once: cells.json("once", row.once),
  }),
);

export const changing = Table.part(
  servers,
  servers.columns.filter((column) => column !== "seq" && column !== "id"),
);

export const secrets = Table.make<InstalledServer.SecretRow>("mcp_secrets", (cells, row) => ({
  serverId: cells.plain("server_id", row.serverId),
  name: cells.plain("name", row.name),
  keyId: cells.plain("key_id", row.keyId),
  nonce: cells.plain("nonce", row.nonce),
  sealed: cells.plain("sealed", row.sealed),
}));

export const tools = Table.make<Tool.ToolRow & { readonly serverId: string }>(
  "mcp_tools",
  (cells, row) => ({
    serverId: cells.plain("server_id", row.serverId),
    position: cells.plain("position", row.position),
    kind: cells.plain("kind", row.kind),
    name: cells.plain("name", row.name),
    accepted: cells.json("accepted", row.accepted),
    current: cells.json("current", row.current),
    problem: cells.plain("problem", row.problem),
    blocked: cells.boolean("blocked", row.blocked),
  }),
);

/** An agent's access to a server. */
export interface Access extends AccessEntry.StoredAccess {
  readonly serverSeq: number;
}

export const access = Table.make<Access>("mcp_access", (cells, row) => ({
  agentId: cells.plain("agent_id", row.agentId),
  serverSeq: cells.plain("server_seq", row.serverSeq),
  granted: cells.boolean("granted", row.granted),
  tools: cells.json("tools", row.tools),
  readOnly: cells.boolean("read_only", row.readOnly),
  callsPerMinute: cells.plain("calls_per_minute", row.callsPerMinute),
  maxConcurrentCalls: cells.plain("max_concurrent_calls", row.maxConcurrentCalls),
}));
