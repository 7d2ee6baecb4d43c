import { Variables as Commands } from "@quartermaster/cli";
import { ConfigProvider, Effect } from "effect";
import { StartError } from "./StartError.ts";

interface Variable {
  readonly meaning: string;
  /** The default; null if there is none. */
  readonly default: string | null;
}

const variable = (meaning: string, value: string | null = null): Variable => ({
  meaning,
  default: value,
});

/** Every variable that configures the server, in the order of the help. */
export const variables = {
  QM_HOST: variable("address to listen on", "127.0.0.1"),
  QM_PORT: variable("port to listen on; 0 chooses a free one", "7420"),
  QM_WORKERS: variable(
    "processes that listen on the port; auto starts one for each processor",
    "1",
  ),
  QM_PUBLIC_URL: variable("URL that browsers use", "from host and port"),
  QM_ALLOWED_HOSTS: variable("other host names that serve /mcp, separated by commas"),
  QM_ALLOWED_ORIGINS: variable("origins whose web pages may use /mcp (CORS), separated by commas"),
  QM_ALLOW_HTTP: variable("1 accepts plain HTTP from other machines", "0"),
  QM_DATA_DIR: variable("directory of the database, attachments and keys", ".quartermaster"),
  QM_DURABILITY: variable(
    "what changes survive: full a power cut, normal a crash of the process",
    "full",
  ),
  QM_DATABASE_URL: variable(
    "PostgreSQL database that several servers share, such as postgres://user:password@host/database",
    "SQLite in the data directory",
  ),
  QM_DATABASE_DIRECT_URL: variable(
    "URL of the connections that listen for events and draw numbers of issues, past a pooler",
    "QM_DATABASE_URL",
  ),
  QM_DATABASE_SCHEMA: variable("schema of the tables in PostgreSQL", "quartermaster"),
  QM_DATABASE_POOL: variable(
    "connections to PostgreSQL, at least 2, without the one that listens",
    "10",
  ),
  QM_DATABASE_PREPARE: variable(
    "0 prepares no statements by name, for poolers that do not support them",
    "1",
  ),
  QM_DATABASE_CA: variable(
    "PEM file of the certificates that may sign PostgreSQL's",
    "Node's certificates",
  ),
  QM_DATABASE_MIGRATE: variable(
    "whether a start creates and updates the tables: auto or never",
    "auto",
  ),
  QM_ATTACHMENTS: variable(
    "where servers on PostgreSQL store attachments: database or s3://bucket/prefix",
    "database",
  ),
  QM_S3_ENDPOINT: variable("URL of an S3 service other than AWS", "AWS, by its own variables"),
  QM_NODE_URL: variable(
    "URL at which other servers of the same database reach this one, such as http://10.0.0.1:7420",
  ),
  QM_ADMIN_KEY: variable("an Owner key of at least 32 characters, valid while it is set"),
  QM_SECRET_KEY: variable(
    "32 bytes in base64; several are separated by commas, newest first; required with QM_DATABASE_URL",
    "a file in the data directory",
  ),
  QM_CATALOG: variable("files with more catalog entries, separated by colons"),
  QM_VERIFY_TIMEOUT: variable("seconds that an MCP server may take to respond to a verify", "30"),
  QM_PREPARE_TIMEOUT: variable("seconds that fetching a server's package may take", "300"),
  QM_TOOL_TIMEOUT: variable("seconds that a tool call may take without progress", "60"),
  QM_TRUSTED_PROXIES: variable(
    "addresses and networks whose X-Forwarded headers are trusted, separated by commas",
  ),
  QM_ALLOWED_PATHS: variable(
    "folders that sandboxes of your own catalog entries may open, separated by colons",
  ),
  QM_ALLOW_DIRECT: variable(
    "1 starts your own catalog entries without a sandbox if the host has none",
    "0",
  ),
  QM_SANDBOX: variable("sandbox of MCP servers: auto, direct, node, bubblewrap or docker", "auto"),
  QM_PRIVATE_HOSTS: variable(
    "names of MCP servers and webhooks that may resolve to private addresses, separated by commas",
  ),
  QM_WEBHOOK_LOCAL: variable("1 lets webhooks use plain HTTP and this machine", "0"),
  QM_TLS_CERT: variable("PEM file of the certificate; with QM_TLS_KEY the server uses HTTPS"),
  QM_TLS_KEY: variable("PEM file of the certificate's private key"),
  QM_EVENT_DAYS: variable("days that events are retained", "30"),
  QM_AUDIT_DAYS: variable("days that entries of the audit log are retained", "400"),
  QM_LOG_DAYS: variable("days that the log of a run is retained after its end", "30"),
  QM_LOG_BYTES: variable(
    "bytes of the logs of all runs; logs of the oldest runs are removed",
    "10 GiB",
  ),
  QM_CALL_BODY_DAYS: variable("days that arguments and results of calls are retained", "7"),
  QM_CALL_BODY_BYTES: variable(
    "bytes of all recorded arguments and results of calls; the oldest are removed",
    "2 GiB",
  ),
  QM_RATE_LIMIT: variable("requests per second and key; 0 means no limit", "5000"),
  QM_AUTH_FAILURE_LIMIT: variable("wrong keys per minute and address; 0 means no limit", "20"),
  QM_MAX_STREAMS: variable("open event streams per key; 0 means no limit", "1000"),
  QM_MAX_JSON_BYTES: variable("largest JSON body", "1 MiB"),
  QM_MAX_ATTACHMENT_BYTES: variable("largest attachment", "25 MiB"),
  QM_MAX_LINKS: variable("links of an issue", "10000"),
  QM_MAX_ATTEMPTS: variable(
    "runs of an issue that may die or fail before it is paused; 0 means no limit",
    "3",
  ),
  QM_STRICT_AGENTS: variable("1 rejects assignments to agents that are not registered", "0"),
  QM_STRICT_PROJECTS: variable("1 rejects issues in projects that do not exist", "0"),
  QM_LOG: variable("format of the log, pretty or json", "pretty on a terminal, json elsewhere"),
} as const satisfies Readonly<Record<string, Variable>>;

export type Name = keyof typeof variables;

/** The edit distance of two names: the characters to insert, delete or replace. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** The names of set variables below a path. `_` separates the parts of a name. */
const namesUnder = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const node = yield* Effect.orDie(provider.load(path));
    if (node === undefined) return [];
    const own = node.value === undefined ? [] : [path.join("_")];
    const keys = node._tag === "Record" ? [...node.keys] : [];
    const below = yield* Effect.forEach(keys, (key) => namesUnder(provider, [...path, key]));
    return [...own, ...below.flat()];
  });

/** Refuses unknown `QM_` variables: a misspelled limit would silently not apply. */
export const check = Effect.gen(function* () {
  const names = Object.keys(variables);
  for (const name of yield* namesUnder(yield* ConfigProvider.ConfigProvider, ["QM"])) {
    if (names.includes(name) || name in Commands.variables) continue;
    const upper = name.toUpperCase();
    const [nearest] = names.toSorted((a, b) => distance(upper, a) - distance(upper, b));
    return yield* new StartError({
      message: `${name} is not a variable of Quartermaster. Did you mean ${nearest}? Correct its name, or unset it.`,
    });
  }
});
