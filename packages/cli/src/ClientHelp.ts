/** The longer descriptions of commands. */

export const quartermaster = [
  "Issue tracking and MCP server management for autonomous agents.",
  "",
  "These commands talk to a server. The package quartermaster has the server as well.",
].join("\n");

export const login = [
  "Check an API key and store it with the URL of its server, for all other commands.",
  "",
  "The key comes from --key-file, else QM_KEY, else a prompt, else stdin. It is stored in a file of",
  "the user's configuration directory that only this user can read.",
].join("\n");

export const logout = [
  "Remove the stored URL and key. The key itself stays valid: `quartermaster key delete` ends it.",
].join("\n");
