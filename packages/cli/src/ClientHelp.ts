/** The long descriptions of commands. */

export const quartermaster = [
  "Issue tracking and MCP server management for autonomous agents.",
  "",
  "These commands talk to a server. The package quartermaster has the server as well.",
].join("\n");

export const login = [
  "Check an API key, and store it with the URL of its server for all other commands.",
  "",
  "The key comes from --key-file, then QM_KEY, then a prompt or stdin. It is stored in your",
  "configuration directory, in a file that only you can read.",
].join("\n");

export const logout = [
  "Remove the stored URL and key. The key stays valid until `quartermaster key delete` deletes it.",
].join("\n");
