// MCP servers of a check. Those from a script are entries that the Owner creates, so they run in a sandbox.
import assert from "node:assert/strict";

const entry = (id, args) => ({
  id,
  name: id,
  description: "A server of a check.",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None: the program is there.",
  manifest: { command: process.execPath, args },
});

/**
 * Creates an entry for a script with these arguments and installs it. Returns the path of the
 * server.
 */
export const install = async (ask, id, args) => {
  await ask("POST", "/api/mcp/catalog", entry(id, args));
  const installed = await ask("POST", "/api/mcp/installed", { catalogId: id });
  return `/api/mcp/installed/${installed.id}`;
};

export const grant = (ask, path, agentIds) =>
  ask("PUT", `${path}/access`, {
    entries: agentIds.map((agentId) => ({ agentId, granted: true })),
  });

/** Installs an MCP server of the catalog, which npm fetches, and requires that it starts under bubblewrap. */
export const runsSandboxed = async (ask) => {
  const { id } = await ask("POST", "/api/mcp/installed", { catalogId: "memory", envValues: {} });
  const { details, status } = await ask("POST", `/api/mcp/installed/${id}/verify`);
  assert.equal(status, "ok", details);
  const { sandbox } = await ask("GET", `/api/mcp/installed/${id}`);
  assert.equal(sandbox, "bubblewrap");
  console.log("ok: npm fetched an MCP server, and it starts under bubblewrap");
};
