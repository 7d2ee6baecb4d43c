export const quartermaster = "Issue tracking and MCP server management for autonomous agents.";

const variables = [
  ["QM_HOST", "address to listen on (127.0.0.1)"],
  ["QM_PORT", "port to listen on, 0 for a free one (7420)"],
  ["QM_PUBLIC_URL", "URL that browsers see (built from host and port)"],
  ["QM_ALLOWED_HOSTS", "further host names that clients may reach /mcp at, with commas"],
  ["QM_ALLOWED_ORIGINS", "origins whose web pages may use /mcp (CORS), with commas"],
  ["QM_ALLOW_HTTP", "1 accepts plain HTTP from other machines (0)"],
  ["QM_DATA_DIR", "database, attachments and keys (.quartermaster)"],
  ["QM_DURABILITY", "full survives a power cut, normal a crash of the process (full)"],
  ["QM_ADMIN_KEY", "an Owner key of 32 characters or more, valid while it is set"],
  [
    "QM_SECRET_KEY",
    "32 bytes in base64, several with commas, newest first (created in the data directory)",
  ],
  ["QM_CATALOG", "files with more catalog entries, separated by colons"],
  ["QM_VERIFY_TIMEOUT", "seconds that an MCP server may take to respond to a verify (30)"],
  ["QM_PREPARE_TIMEOUT", "seconds that fetching a server's package may take (300)"],
  ["QM_TOOL_TIMEOUT", "seconds that a tool call may take without progress (60)"],
  ["QM_TRUSTED_PROXIES", "addresses and networks whose X-Forwarded headers are trusted"],
  ["QM_ALLOW_DIRECT", "1 starts own catalog entries without a sandbox where the host has none (0)"],
  ["QM_SANDBOX", "sandbox of MCP servers: auto, direct, node, bubblewrap or docker"],
  ["QM_PRIVATE_HOSTS", "names of MCP servers that may resolve to private addresses"],
  ["QM_TLS_CERT, QM_TLS_KEY", "PEM files; with them the server speaks HTTPS"],
  ["QM_EVENT_DAYS", "days that events are retained (30)"],
  ["QM_RATE_LIMIT", "requests per second and key, 0 for no limit (5000)"],
  ["QM_AUTH_FAILURE_LIMIT", "wrong keys per minute and address, 0 for no limit (20)"],
  ["QM_MAX_STREAMS", "open event streams per key, 0 for no limit (1000)"],
  ["QM_MAX_JSON_BYTES", "size of a JSON body (1 MiB)"],
  ["QM_MAX_ATTACHMENT_BYTES", "size of an attachment (25 MiB)"],
  ["QM_MAX_LINKS", "links of an issue (10000)"],
  [
    "QM_MAX_ATTEMPTS",
    "runs of an issue that may die or fail before it is paused, 0 for no limit (3)",
  ],
  ["QM_STRICT_AGENTS", "1 refuses assignments to agents that are not registered (0)"],
  ["QM_LOG", "pretty or json (pretty on a terminal, else json)"],
] as const;

const width = Math.max(...variables.map(([name]) => name.length)) + 2;

/** The text of `serve --help`: every variable with its default. */
export const serve = [
  "Run the server until SIGTERM or SIGINT. Environment variables configure it:",
  "",
  ...variables.map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`),
].join("\n");

/** The text of `rotate-key --help`. */
export const rotateKey = [
  "Encrypt the secrets of all MCP servers under the newest master key.",
  "",
  "Without QM_SECRET_KEY it creates a new key in QM_DATA_DIR. The old key stays beside it until no",
  "secret needs it. A server that runs on the directory needs no restart.",
  "",
  "With QM_SECRET_KEY: put the new key before the old one, with a comma, and restart every server;",
  "then run this with the same value, and remove the old key.",
  "",
  "If it stops before it finishes, run it again.",
].join("\n");

export const mcp = [
  "Speak MCP over stdio, for agent hosts that do not speak HTTP.",
  "",
  "Forwards messages to the endpoint /mcp of a Quartermaster server, with the key of one agent.",
  "Only messages are written to stdout. It exits with 0 when its input ends, with 4 when the server does",
  "not accept the key, and with 2 when the key is not an agent's. stderr says why.",
  "",
  "Server and key come from --url and --key-file, else QM_URL and QM_KEY, else the login.",
].join("\n");
