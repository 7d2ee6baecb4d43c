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
