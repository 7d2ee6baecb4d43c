// MCP servers from a script: the Owner creates the entries, so they run in a sandbox.

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
