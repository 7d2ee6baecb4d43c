export const doctor = [
  "Check configuration, permissions, disk space, database, clock, runtimes and secrets of MCP servers,",
  "stuck work and orphan processes. It changes nothing, and servers may run. In a bucket of attachments",
  "it writes an object and removes it.",
  "",
  "Each finding has a severity and the command that fixes it. The exit code is 0 only if nothing is",
  "wrong.",
].join("\n");
