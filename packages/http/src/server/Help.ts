export const quartermaster = "Issue tracking and MCP server management for autonomous agents.";

const variables = [
  ["QM_HOST", "address to listen on (127.0.0.1)"],
  ["QM_PORT", "port to listen on, 0 for a free one (7420)"],
  ["QM_PUBLIC_URL", "what browsers see (made from host and port)"],
  ["QM_DATA_DIR", "database, attachments and keys (.quartermaster)"],
  ["QM_DURABILITY", "full survives a power cut, normal the death of the process (full)"],
  ["QM_ADMIN_KEY", "an Owner's key of 32 characters or more, while it is set"],
  [
    "QM_SECRET_KEY",
    "32 bytes in base64, several with commas, newest first (made in the data directory)",
  ],
  ["QM_CATALOG", "files of further catalogue entries, with colons"],
  ["QM_VERIFY_TIMEOUT", "seconds that an MCP server may take to answer (30)"],
  ["QM_PREPARE_TIMEOUT", "seconds that fetching a server's package may take (300)"],
  ["QM_TOOL_TIMEOUT", "seconds that a tool call may take without progress (60)"],
  ["QM_TRUSTED_PROXIES", "addresses and networks whose X-Forwarded headers are believed"],
  ["QM_TLS_CERT, QM_TLS_KEY", "PEM files; with them the server speaks HTTPS"],
  ["QM_EVENT_DAYS", "days that events are kept (30)"],
  ["QM_RATE_LIMIT", "requests a second for each key, 0 for any number (5000)"],
  ["QM_AUTH_FAILURE_LIMIT", "wrong keys a minute for each address, 0 for any number (20)"],
  ["QM_MAX_JSON_BYTES", "size of a JSON body (1 MiB)"],
  ["QM_MAX_ATTACHMENT_BYTES", "size of an attachment (25 MiB)"],
  ["QM_MAX_LINKS", "links of an issue (10000)"],
  ["QM_LOG", "pretty or json (pretty on a terminal, else json)"],
] as const;

const width = Math.max(...variables.map(([name]) => name.length)) + 2;

/** What `serve --help` tells, with every variable and its default. */
export const serve = [
  "Run the server until SIGTERM or SIGINT. It is set up by environment variables:",
  "",
  ...variables.map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`),
].join("\n");

/** What `rotate-key --help` tells. */
export const rotateKey = [
  "Encrypt the secrets of all MCP servers anew under the newest master key.",
  "",
  "Without QM_SECRET_KEY a new key is made in QM_DATA_DIR; the old one stays beside it until nothing",
  "is kept under it. A server that runs on that directory goes on, and needs no restart.",
  "",
  "With QM_SECRET_KEY: put the new key before the old one, with a comma, and restart every server;",
  "then run this with the same value, and take the old key away.",
  "",
  "If it is ended before it is done, run it again.",
].join("\n");

export const mcp = [
  "Speak MCP over stdio, for agent hosts that speak nothing else.",
  "",
  "Messages go to the endpoint /mcp of a Quartermaster server and back, with the key of one agent.",
  "Nothing but messages is written to stdout. It ends with code 0 when its input ends, and with 1",
  "when it cannot go on, as when the key is refused; stderr says why.",
  "",
  "  QM_URL  where the server is (http://127.0.0.1:7420)",
  "  QM_KEY  the agent's key",
].join("\n");
