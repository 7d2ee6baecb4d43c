import { Sandboxes } from "@quartermaster/mcp";
import { Context, Effect, Layer, type Redacted } from "effect";
import * as DatabaseSettings from "./DatabaseSettings.ts";
import * as S3Settings from "./S3Settings.ts";
import {
  addresses,
  files,
  flag,
  folders,
  hostNames,
  keys,
  longSecret,
  oneOf,
  origin,
  origins,
  secretSetting,
  servedHosts,
  setting,
  size,
  text,
  whole,
  workers,
} from "./Setting.ts";
import { StartError } from "./StartError.ts";
import * as Variables from "./Variables.ts";

type Key = Redacted.Redacted<Uint8Array>;

const seconds = whole(1, 86_400, "a number of seconds");

/** The server's settings from the environment. */
export class ServerConfig extends Context.Service<
  ServerConfig,
  {
    readonly host: string;
    /** Whether clients on other machines may use plain HTTP. */
    readonly allowHttp: boolean;
    /** 0 chooses a free port. */
    readonly port: number;
    /** The number of processes that listen on the port. */
    readonly workers: number;
    /** If null, the URL is derived from host and port. */
    readonly publicUrl: string | null;
    /**
     * Other names under which clients may reach `/mcp`, and other origins whose pages may use it.
     */
    readonly allowedHosts: ReadonlyArray<string>;
    readonly allowedOrigins: ReadonlyArray<string>;
    readonly dataDir: string;
    readonly durability: "full" | "normal";
    /** If null, everything is stored with SQLite in the data directory. */
    readonly database: DatabaseSettings.Database | null;
    /** If null, attachments are where everything else is. */
    readonly s3: S3Settings.S3 | null;
    /** The URL at which other nodes reach this one; null if they do not. */
    readonly nodeUrl: string | null;
    readonly adminKey: Redacted.Redacted | null;
    /** Master keys, newest first. If null, the keys in the data directory are used. */
    readonly secretKeys: readonly [Key, ...ReadonlyArray<Key>] | null;
    /** Paths of additional catalog files. */
    readonly catalogFiles: ReadonlyArray<string>;
    /** Time limits in seconds for a verify, for preparing a package and for a tool call. */
    readonly verifySeconds: number;
    readonly prepareSeconds: number;
    readonly toolSeconds: number;
    /** The sandbox for programs of MCP servers. */
    readonly sandbox: Sandboxes.Setting;
    /** Folders that the sandboxes of Owners' catalog entries may open. */
    readonly allowedPaths: ReadonlyArray<string>;
    /** Whether programs of Owners' catalog entries may run without a sandbox. */
    readonly allowDirect: boolean;
    /** IP addresses and networks of trusted proxies. */
    readonly trustedProxies: ReadonlyArray<string>;
    /** Host names that may resolve to private addresses, in lower case. */
    readonly privateHosts: ReadonlyArray<string>;
    /** Whether webhooks may use plain HTTP and this machine. */
    readonly webhookLocal: boolean;
    /** Paths of PEM files. */
    readonly tls: { readonly cert: string; readonly key: string } | null;
    readonly eventDays: number;
    readonly auditDays: number;
    /** Days that logs of runs are retained after their end, and the bytes of all logs. */
    readonly logDays: number;
    readonly logBytes: number;
    readonly callBodyDays: number;
    readonly callBodyBytes: number;
    /** Requests per second per key. 0: no limit. */
    readonly rateLimit: number;
    /** Failed authentications per minute per address. 0: no limit. */
    readonly authFailureLimit: number;
    /** Open event streams per key. 0: no limit. */
    readonly maxStreams: number;
    readonly maxJsonBytes: number;
    readonly maxAttachmentBytes: number;
    readonly maxLinks: number;
    readonly maxAttempts: number;
    /** Whether issues may only be assigned to registered agents. */
    readonly strictAgents: boolean;
    /** Whether issues may only be created in projects that exist. */
    readonly strictProjects: boolean;
    /** If null, logs are pretty on a terminal and JSON elsewhere. */
    readonly log: "pretty" | "json" | null;
  }
>()("@quartermaster/server/ServerConfig") {
  /** Reads the variables from the `ConfigProvider`. Default: the environment of the process. */
  static readonly layer = Layer.effect(
    ServerConfig,
    Effect.gen(function* () {
      yield* Variables.check;
      const cert = yield* setting("QM_TLS_CERT", text, null);
      const key = yield* setting("QM_TLS_KEY", text, null);
      if ((cert === null) !== (key === null)) {
        const [set, missing] =
          cert === null ? ["QM_TLS_KEY", "QM_TLS_CERT"] : ["QM_TLS_CERT", "QM_TLS_KEY"];
        const message = `${missing} must be set too, since ${set} is: HTTPS needs both files.`;
        return yield* new StartError({ message });
      }
      const host = yield* setting("QM_HOST", text, "127.0.0.1");
      const trustedProxies = yield* setting("QM_TRUSTED_PROXIES", addresses, []);
      const allowHttp = yield* setting("QM_ALLOW_HTTP", flag, false);
      if (!isLoopback(host) && cert === null && trustedProxies.length === 0 && !allowHttp) {
        return yield* new StartError({ message: plainHttp(host) });
      }
      const database = yield* DatabaseSettings.read;
      if (database !== null) yield* DatabaseSettings.requireSecretKey;
      const maxAttachmentBytes = yield* setting("QM_MAX_ATTACHMENT_BYTES", size, 25 * 1024 * 1024);
      const s3 = yield* S3Settings.read;
      if (s3 !== null) yield* S3Settings.check(database !== null, maxAttachmentBytes);
      return {
        host,
        allowHttp,
        port: yield* setting("QM_PORT", whole(0, 65_535, "a port number"), 7420),
        workers: yield* setting("QM_WORKERS", workers, 1),
        publicUrl: yield* setting("QM_PUBLIC_URL", origin, null),
        allowedHosts: yield* setting("QM_ALLOWED_HOSTS", servedHosts, []),
        allowedOrigins: yield* setting("QM_ALLOWED_ORIGINS", origins, []),
        dataDir: yield* setting("QM_DATA_DIR", text, ".quartermaster"),
        durability: yield* setting("QM_DURABILITY", oneOf("full", "normal"), "full" as const),
        database,
        s3,
        nodeUrl: yield* setting("QM_NODE_URL", origin, null),
        adminKey: yield* secretSetting("QM_ADMIN_KEY", longSecret, null),
        secretKeys: yield* secretSetting("QM_SECRET_KEY", keys, null),
        catalogFiles: yield* setting("QM_CATALOG", files, []),
        verifySeconds: yield* setting("QM_VERIFY_TIMEOUT", seconds, 30),
        prepareSeconds: yield* setting("QM_PREPARE_TIMEOUT", seconds, 300),
        toolSeconds: yield* setting("QM_TOOL_TIMEOUT", seconds, 60),
        allowedPaths: yield* setting("QM_ALLOWED_PATHS", folders, []),
        allowDirect: yield* setting("QM_ALLOW_DIRECT", flag, false),
        sandbox: yield* setting("QM_SANDBOX", oneOf(...Sandboxes.settings), "auto" as const),
        trustedProxies,
        privateHosts: yield* setting("QM_PRIVATE_HOSTS", hostNames, []),
        webhookLocal: yield* setting("QM_WEBHOOK_LOCAL", flag, false),
        tls: cert === null || key === null ? null : { cert, key },
        eventDays: yield* setting("QM_EVENT_DAYS", whole(1, 36_500, "a number of days"), 30),
        auditDays: yield* setting("QM_AUDIT_DAYS", whole(1, 36_500, "a number of days"), 400),
        logDays: yield* setting("QM_LOG_DAYS", whole(1, 36_500, "a number of days"), 30),
        logBytes: yield* setting("QM_LOG_BYTES", size, 10 * 1024 ** 3),
        callBodyDays: yield* setting("QM_CALL_BODY_DAYS", whole(1, 90, "a number of days"), 7),
        callBodyBytes: yield* setting("QM_CALL_BODY_BYTES", size, 2 * 1024 ** 3),
        rateLimit: yield* setting("QM_RATE_LIMIT", whole(0, 1_000_000_000), 5000),
        authFailureLimit: yield* setting("QM_AUTH_FAILURE_LIMIT", whole(0, 1_000_000_000), 20),
        maxStreams: yield* setting("QM_MAX_STREAMS", whole(0, 1_000_000_000), 1000),
        maxJsonBytes: yield* setting("QM_MAX_JSON_BYTES", size, 1024 * 1024),
        maxAttachmentBytes,
        maxAttempts: yield* setting("QM_MAX_ATTEMPTS", whole(0, 1_000_000), 3),
        strictAgents: yield* setting("QM_STRICT_AGENTS", flag, false),
        strictProjects: yield* setting("QM_STRICT_PROJECTS", flag, false),
        maxLinks: yield* setting("QM_MAX_LINKS", whole(1, 1_000_000), 10_000),
        log: yield* setting("QM_LOG", oneOf("pretty", "json"), null),
      };
    }),
  );
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

const plainHttp = (host: string): string =>
  `QM_HOST is ${host}, so other machines could send keys over plain HTTP. ` +
  "Set QM_TLS_CERT and QM_TLS_KEY, or name an HTTPS proxy in QM_TRUSTED_PROXIES, " +
  "or set QM_ALLOW_HTTP=1 on a network that you trust.";

/** Whether clients on other machines can connect over plain HTTP. */
export const acceptsPlainHttp = (config: ServerConfig["Service"]): boolean =>
  !isLoopback(config.host) && config.tls === null && config.trustedProxies.length === 0;
