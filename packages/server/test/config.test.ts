import { availableParallelism } from "node:os";
import { assert, describe, it } from "@effect/vitest";
import { ConfigProvider, Effect, Redacted } from "effect";
import { ServerConfig } from "../src/config/ServerConfig.ts";

const configOf = (env: Record<string, string>) =>
  ServerConfig.use(Effect.succeed).pipe(
    Effect.provide(ServerConfig.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
  );

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");

const bad: ReadonlyArray<readonly [name: string, value: string, mustBe: RegExp]> = [
  ["QM_PORT", "http", /a port number from 0 to 65535, not "http"/],
  ["QM_PORT", "65536", /a port number from 0 to 65535/],
  ["QM_PORT", "0x50", /a port number from 0 to 65535/],
  ["QM_WORKERS", "0", /a whole number from 1 to 64, or "auto", not "0"/],
  ["QM_WORKERS", "65", /from 1 to 64/],
  ["QM_WORKERS", "many", /or "auto"/],
  ["QM_PUBLIC_URL", "example.com/app", /http or https address/],
  ["QM_PUBLIC_URL", "https://example.com/app", /without a path/],
  ["QM_NODE_URL", "10.0.0.1:7420", /http or https address/],
  ["QM_ALLOWED_HOSTS", "http://quartermaster", /host names without a scheme/],
  ["QM_ALLOWED_HOSTS", "quartermaster,*.corp.example", /host names without a scheme/],
  ["QM_ALLOWED_HOSTS", "quartermaster,", /host names without a scheme/],
  ["QM_ALLOWED_HOSTS", "quartermaster:port", /host names without a scheme/],
  ["QM_ALLOWED_HOSTS", "quartermaster:70000", /host names without a scheme/],
  ["QM_ALLOWED_ORIGINS", "*", /http or https origins/],
  ["QM_ALLOWED_ORIGINS", "null", /http or https origins/],
  ["QM_ALLOWED_ORIGINS", "agents.example.com", /http or https origins/],
  ["QM_ALLOWED_ORIGINS", "https://a.example,https://b.example/app", /without a path/],
  ["QM_DURABILITY", "some", /"full" or "normal"/],
  ["QM_ADMIN_KEY", "too-short-a-key", /32 characters or more\.$/],
  ["QM_ADMIN_KEY", `${"k".repeat(31)} `, /32 characters or more\.$/],
  ["QM_SECRET_KEY", "c2hvcnQ=", /32 bytes in base64.*\)\.$/],
  ["QM_SECRET_KEY", `${key(1)},${key(2)}x`, /32 bytes in base64.*\)\.$/],
  ["QM_DATABASE_URL", "mysql://root:hunter2@db/quartermaster", /the URL of a PostgreSQL database/],
  ["QM_DATABASE_URL", "db.example.com", /the URL of a PostgreSQL database/],
  ["QM_DATABASE_SCHEMA", "Public; DROP", /lower-case letters, digits and underscores/],
  ["QM_DATABASE_POOL", "1", /a whole number from 2/],
  ["QM_DATABASE_PREPARE", "no", /1 or 0/],
  ["QM_DATABASE_DIRECT_URL", "db.example.com", /the URL of a PostgreSQL database/],
  ["QM_ATTACHMENTS", "s3://", /"database" or a bucket/],
  ["QM_ATTACHMENTS", "s3://files/../secrets", /"database" or a bucket/],
  [
    "QM_ATTACHMENTS",
    "s3://files/house",
    /must not name a bucket, since QM_DATABASE_URL is not set/,
  ],
  ["QM_S3_ENDPOINT", "minio:9000", /http or https address/],
  ["QM_DATABASE_MIGRATE", "always", /"auto" or "never"/],
  ["QM_TRUSTED_PROXIES", "10.0.0.0/33", /IP addresses or networks/],
  ["QM_TLS_KEY", "key.pem", /QM_TLS_CERT must be set too/],
  ["QM_EVENT_DAYS", "0", /a number of days from 1/],
  ["QM_VERIFY_TIMEOUT", "0", /a number of seconds from 1/],
  ["QM_PREPARE_TIMEOUT", "5m", /a number of seconds from 1/],
  ["QM_TOOL_TIMEOUT", "1.5", /a number of seconds from 1/],
  ["QM_RATE_LIMIT", "-1", /a whole number from 0/],
  ["QM_AUTH_FAILURE_LIMIT", "many", /a whole number from 0/],
  ["QM_STRICT_AGENTS", "yes", /1 or 0/],
  ["QM_STRICT_PROJECTS", "yes", /1 or 0/],
  ["QM_MAX_ATTEMPTS", "-1", /from 0/],
  ["QM_MAX_STREAMS", "many", /a whole number from 0/],
  ["QM_MAX_JSON_BYTES", "much", /a size of 1 byte or more.*25 MiB/],
  ["QM_MAX_ATTACHMENT_BYTES", "0", /a size of 1 byte or more/],
  ["QM_MAX_LINKS", "1.5", /a whole number from 1/],
  ["QM_PRIVATE_HOSTS", "http://mcp", /host names, separated by commas/],
  ["QM_ALLOW_HTTP", "yes", /1 or 0/],
  ["QM_LOG", "loud", /"pretty" or "json"/],
];

describe("ServerConfig", () => {
  it.effect.each(bad)("[server.config] %s=%s is refused", ([name, value, mustBe]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(configOf({ [name]: value }));
      assert.include(message, name);
      assert.match(message, mustBe);
      if (/ADMIN|SECRET|_URL$/.test(name) && !/PUBLIC|NODE/.test(name))
        assert.notInclude(message, value);
    }),
  );

  it.effect(
    "[server.config.unknown] a misspelled variable stops the start, and the message contains the nearest name",
    () =>
      Effect.gen(function* () {
        const misspelled = [
          ["QM_DATADIR", "QM_DATA_DIR"],
          ["QM_MAX_ATTACHMENT_SIZE", "QM_MAX_ATTACHMENT_BYTES"],
          ["QM_HOTS", "QM_HOST"],
        ] as const;
        for (const [name, nearest] of misspelled) {
          const { message } = yield* Effect.flip(configOf({ [name]: "secret", QM_PORT: "1" }));
          assert.include(message, `${name} is not a variable`);
          assert.include(message, `Did you mean ${nearest}?`);
          assert.notInclude(message, "secret");
        }
        // Variables of commands and of other programs.
        yield* configOf({
          QM_URL: "http://127.0.0.1:7420",
          QM_KEY: "k",
          QMAIL: "1",
          XQM_HOST: "1",
        });
      }),
  );

  it.effect("[server.plain-http] other machines reach the server by HTTPS only", () =>
    Effect.gen(function* () {
      for (const host of ["0.0.0.0", "::", "192.168.1.7", "quartermaster.example"]) {
        const { message } = yield* Effect.flip(configOf({ QM_HOST: host }));
        assert.match(message, /plain HTTP.*QM_TLS_CERT.*QM_TRUSTED_PROXIES.*QM_ALLOW_HTTP=1/);
      }
      const accepted = [
        { QM_HOST: "127.0.0.2" },
        { QM_HOST: "localhost" },
        { QM_HOST: "::1" },
        { QM_HOST: "0.0.0.0", QM_TRUSTED_PROXIES: "10.0.0.7" },
        { QM_HOST: "0.0.0.0", QM_TLS_CERT: "cert.pem", QM_TLS_KEY: "key.pem" },
        { QM_HOST: "0.0.0.0", QM_ALLOW_HTTP: "1" },
      ];
      for (const env of accepted) assert.strictEqual((yield* configOf(env)).host, env.QM_HOST);
    }),
  );

  it.effect("[server.config.defaults] the defaults are the contract's", () =>
    Effect.gen(function* () {
      const empty = { QM_PORT: "", QM_LOG: " " };
      const expected = {
        host: "127.0.0.1",
        allowHttp: false,
        port: 7420,
        workers: 1,
        publicUrl: null,
        allowedHosts: [],
        allowedOrigins: [],
        database: null,
        s3: null,
        nodeUrl: null,
        dataDir: ".quartermaster",
        durability: "full",
        adminKey: null,
        secretKeys: null,
        catalogFiles: [],
        verifySeconds: 30,
        prepareSeconds: 300,
        toolSeconds: 60,
        allowedPaths: [],
        auditDays: 400,
        allowDirect: false,
        sandbox: "auto",
        trustedProxies: [],
        privateHosts: [],
        tls: null,
        eventDays: 30,
        logDays: 30,
        logBytes: 10_737_418_240,
        callBodyDays: 7,
        callBodyBytes: 2_147_483_648,
        rateLimit: 5000,
        authFailureLimit: 20,
        maxStreams: 1000,
        maxJsonBytes: 1_048_576,
        maxAttachmentBytes: 26_214_400,
        maxLinks: 10_000,
        maxAttempts: 3,
        strictAgents: false,
        strictProjects: false,
        log: null,
        webhookLocal: false,
      };
      assert.deepStrictEqual<object>(yield* configOf({}), expected);
      assert.deepStrictEqual<object>(yield* configOf(empty), expected);
    }),
  );

  it.effect("[server.config.values] every setting accepts the forms that operators write", () =>
    Effect.gen(function* () {
      const config = yield* configOf({
        QM_PUBLIC_URL: "https://example.com:8443/",
        QM_NODE_URL: "http://10.0.0.1:7420/",
        QM_ALLOWED_HOSTS: "quartermaster, My_Service:7420, [::1], 10.0.0.7",
        QM_ALLOWED_ORIGINS: "https://Agents.example.com/, http://localhost:6274",
        QM_ADMIN_KEY: ` ${"k".repeat(32)}\r`,
        QM_SECRET_KEY: `${key(1)}, ${key(2)}`,
        QM_TRUSTED_PROXIES: "10.0.0.7, fd00::/8",
        QM_CATALOG: "/etc/one.json:two.json",
        QM_ALLOWED_PATHS: "/srv/notes:/srv/photos",
        QM_TOOL_TIMEOUT: "90",
        QM_WORKERS: "auto",
        QM_RATE_LIMIT: "0",
        QM_MAX_JSON_BYTES: "2000",
        QM_MAX_ATTACHMENT_BYTES: "1.5 MiB",
      });
      assert.strictEqual(Redacted.value(config.adminKey!), "k".repeat(32));
      assert.strictEqual(config.publicUrl, "https://example.com:8443");
      assert.strictEqual(config.nodeUrl, "http://10.0.0.1:7420");
      assert.strictEqual(config.workers, availableParallelism());
      assert.deepStrictEqual(config.allowedPaths, ["/srv/notes", "/srv/photos"]);
      assert.deepStrictEqual(config.allowedHosts, [
        "quartermaster",
        "My_Service:7420",
        "[::1]",
        "10.0.0.7",
      ]);
      assert.deepStrictEqual(config.allowedOrigins, [
        "https://agents.example.com",
        "http://localhost:6274",
      ]);
      assert.deepStrictEqual(config.trustedProxies, ["10.0.0.7", "fd00::/8"]);
      assert.deepStrictEqual(config.catalogFiles, ["/etc/one.json", "two.json"]);
      assert.strictEqual(config.toolSeconds, 90);
      assert.strictEqual(config.rateLimit, 0);
      assert.strictEqual(config.maxJsonBytes, 2000);
      assert.strictEqual(config.maxAttachmentBytes, 1_572_864);
      const bytes = config.secretKeys?.map((key) => Redacted.value(key)[0]);
      assert.deepStrictEqual(bytes, [1, 2]);
      const printed = JSON.stringify(config);
      assert.notInclude(printed, "kkkk");
      assert.notInclude(printed, key(1));
    }),
  );

  it.effect(
    "[server.config] QM_ATTACHMENTS is the database or a bucket, and beside it the endpoint",
    () =>
      Effect.gen(function* () {
        const database = {
          QM_DATABASE_URL: "postgres://db.example.com/quartermaster",
          QM_SECRET_KEY: key(1),
        };
        const s3Of = (env: Record<string, string>) =>
          Effect.map(configOf({ ...database, ...env }), ({ s3 }) => s3);
        assert.isNull(
          yield* s3Of({ QM_ATTACHMENTS: "database", QM_S3_ENDPOINT: "http://minio:9000" }),
        );
        assert.deepStrictEqual(yield* s3Of({ QM_ATTACHMENTS: "s3://my.files" }), {
          bucket: "my.files",
          prefix: "",
          endpoint: undefined,
        });
        const alone = yield* Effect.flip(s3Of({ QM_S3_ENDPOINT: "http://minio:9000" }));
        assert.match(alone.message, /QM_ATTACHMENTS must be set, since QM_S3_ENDPOINT is/);
        const QM_ATTACHMENTS = "s3://files/house/one/";
        assert.deepStrictEqual(
          yield* s3Of({ QM_ATTACHMENTS, QM_S3_ENDPOINT: "http://minio:9000/" }),
          {
            bucket: "files",
            prefix: "house/one",
            endpoint: "http://minio:9000",
          },
        );
        const { message } = yield* Effect.flip(
          s3Of({ QM_ATTACHMENTS, QM_MAX_ATTACHMENT_BYTES: "6 GiB" }),
        );
        assert.match(message, /QM_MAX_ATTACHMENT_BYTES must be 5 GiB or less/);
      }),
  );
});
