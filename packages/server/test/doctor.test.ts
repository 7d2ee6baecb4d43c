import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { afterAll, assert, beforeAll, describe, it, onTestFinished, vi } from "@effect/vitest";
import { RuntimeProbe } from "@quartermaster/core";
import { ProcessIdentity } from "@quartermaster/mcp/programs/processes/ProcessIdentity";
import { Inspection } from "@quartermaster/storage-sqlite";
import { ConfigProvider, Effect, Layer } from "effect";
import * as DoctorCommand from "../src/doctor/DoctorCommand.ts";
import * as FileChecks from "../src/doctor/FileChecks.ts";
import type { Finding } from "../src/doctor/Finding.ts";
import * as ToolChecks from "../src/doctor/ToolChecks.ts";
import { execute, run, scene } from "./Archives.ts";
import * as Disk from "./Disk.ts";
import type { End } from "./Quartermaster.ts";

vi.setConfig({ testTimeout: 120_000 });

type Scene = Awaited<ReturnType<typeof scene>>;
const shared: { scene?: Scene } = {};
const ends: Array<() => Promise<void>> = [];

beforeAll(async () => {
  const end: End = (end) => void ends.unshift(end);
  shared.scene = await scene(end);
  // A running server has no findings, and the exit code is 0.
  const { dataDir } = shared.scene;
  const { code, stderr, stdout } = await run(dataDir, ["doctor", "--json"], end);
  assert.deepInclude(JSON.parse(stdout), { ok: true, findings: [] }, stderr);
  assert.strictEqual(code, 0);
  await shared.scene.server.kill("SIGTERM");
});

afterAll(async () => {
  for (const end of ends) await end();
});

let copies = 0;

/** A copy of the data directory with one defect. */
const planted = async (plant: (dataDir: string) => Promise<unknown> | void) => {
  if (shared.scene === undefined) throw new Error("The scene was not built");
  const dataDir = join(shared.scene.folder, `copy-${copies++}`);
  await cp(shared.scene.dataDir, dataDir, { recursive: true });
  await plant(dataDir);
  return dataDir;
};

const sql = (dataDir: string, statement: string) => {
  const db = new DatabaseSync(join(dataDir, "quartermaster.db"));
  db.exec(statement);
  db.close();
};

const examine = async (
  dataDir: string,
  env: Record<string, string> = {},
): Promise<ReadonlyArray<Finding>> => {
  const before = await Disk.files(dataDir).catch(() => undefined);
  const config = ConfigProvider.layer(ConfigProvider.fromUnknown({ QM_DATA_DIR: dataDir, ...env }));
  const { findings } = await Effect.runPromise(
    DoctorCommand.examine.pipe(Effect.provide(Layer.merge(config, NodeServices.layer))),
  );
  assert.deepStrictEqual(await Disk.files(dataDir).catch(() => undefined), before);
  return findings;
};

/** The only finding. */
const only = async (
  plant: (dataDir: string) => Promise<unknown> | void,
  env?: Record<string, string>,
) => {
  const dataDir = await planted(plant);
  const [finding, ...more] = await examine(dataDir, env);
  assert.deepStrictEqual(more, []);
  return { ...finding, dataDir };
};

describe("quartermaster doctor", () => {
  it("[doctor.clean] a sound directory has no findings, and nothing in it changes", async () => {
    const dataDir = await planted(() => undefined);
    assert.deepStrictEqual(await examine(dataDir), []);
  });

  it("[doctor.exit] findings end it with an exit code other than 0, and --json lists them", async () => {
    const dataDir = await planted((dataDir) => chmod(join(dataDir, "secret-key"), 0o644));
    const { code, stdout } = await execute(dataDir, ["doctor", "--json"]);
    assert.notStrictEqual(code, 0);
    const document = JSON.parse(stdout);
    assert.deepInclude(document, { ok: false, dataDir });
    assert.hasAllKeys(document.findings[0], ["check", "severity", "message", "fix"]);
    assert.strictEqual(document.findings[0].fix, `chmod 600 ${dataDir}/secret-key`);
  });

  it.each([
    [{ QM_PORT: "none" }, /QM_PORT must be a port/, "export QM_PORT=VALUE"],
    [{ QM_S3_ENDPOINT: "x" }, /QM_S3_ENDPOINT must be/, "export QM_S3_ENDPOINT=VALUE"],
    [
      { QM_CATALOG: "/nowhere" },
      /QM_CATALOG must name files.*\/nowhere/,
      "export QM_CATALOG=VALUE",
    ],
    [
      { QM_TLS_CERT: "/nowhere", QM_TLS_KEY: "/nowhere" },
      /QM_TLS_CERT must name a file/,
      "export QM_TLS_CERT=VALUE",
    ],
  ])("[doctor.configuration] it finds invalid configuration: %s", async (env, message, fix) => {
    const [finding] = await examine(await planted(() => undefined), env);
    assert.deepInclude(finding, { check: "configuration", severity: "error", fix });
    assert.match(finding?.message ?? "", message);
  });

  it.each(["QM_PROT", "QM_port"])(
    "[doctor.configuration] %s is not a variable of the program, so it has to be unset",
    async (name) => {
      const dataDir = await planted(() => undefined);
      const { stdout } = await run(dataDir, ["doctor", "--json"], undefined, { [name]: "80" });
      const [finding] = JSON.parse(stdout).findings;
      assert.deepInclude(finding, { check: "configuration", fix: `unset ${name}` });
      assert.include(finding.message, "Did you mean QM_PORT?");
    },
  );

  it("[doctor.permissions] it finds files that other users can read", async () => {
    const file = await only((dataDir) => chmod(join(dataDir, "quartermaster.db"), 0o640));
    assert.strictEqual(file.check, "permissions");
    assert.strictEqual(file.fix, `chmod 600 ${file.dataDir}/quartermaster.db`);
    const folder = await only((dataDir) => chmod(dataDir, 0o755));
    assert.strictEqual(folder.fix, `chmod 700 ${folder.dataDir}`);
  });

  it("[doctor.disk] it finds a disk that is almost full", () => {
    assert.deepStrictEqual(FileChecks.judgeSpace("/data", 2 ** 31), []);
    const [warning] = FileChecks.judgeSpace("/data", 500 * 2 ** 20);
    assert.deepInclude(warning, { check: "disk", severity: "warning" });
    const [error] = FileChecks.judgeSpace("/data", 50 * 2 ** 20);
    assert.deepInclude(error, {
      severity: "error",
      message: "The file system of /data has 50 MiB left.",
      fix: "du -xh /data | sort -h | tail",
    });
  });

  it("[doctor.integrity] it finds a database that is damaged, lost changes, newer, or not there", async () => {
    const database = (dataDir: string) => join(dataDir, "quartermaster.db");
    const restore = "QM_DATA_DIR=EMPTY_DIRECTORY quartermaster restore FILE";
    const cases: ReadonlyArray<[(dataDir: string) => Promise<unknown> | void, RegExp, string]> = [
      [(dir) => truncate(database(dir), 100_000), /damaged|cannot be read/, restore],
      [(dir) => writeFile(database(dir), "not a database at all"), /cannot be read/, restore],
      [(dir) => rm(database(dir)), /There is no database/, "export QM_DATA_DIR=DIRECTORY"],
      [
        (dir) => writeFile(join(dir, "newest-event"), `${"9".padStart(16, "0")}9\n`.slice(1)),
        /has lost changes: it ends at event \d+, but event 99 was stored/,
        restore,
      ],
      [
        (dir) => sql(dir, "INSERT INTO migrations (migration_id, name) VALUES (9999, 'later')"),
        /newer version \(it has 9999_later\)/,
        "npm install quartermaster@latest",
      ],
      [
        (dir) =>
          sql(dir, "CREATE TRIGGER t AFTER INSERT ON api_keys BEGIN DELETE FROM sessions; END"),
        /not the schema of this version: the trigger t was added/,
        restore,
      ],
      [(dir) => mkdir(join(dir, "restoring")), /A restore of .* was interrupted/, " restore FILE"],
      [
        (dir) => sql(dir, "PRAGMA foreign_keys=OFF; UPDATE attachments SET issue_id = 'iss_none'"),
        /damaged: a row of attachments names a row that does not exist/,
        restore,
      ],
    ];
    for (const [plant, message, fix] of cases) {
      const [finding] = await examine(await planted(plant));
      assert.deepInclude(finding, { check: "integrity", severity: "error" });
      assert.match(finding?.message ?? "", message);
      assert.include(finding?.fix, fix);
    }
  });

  it("[doctor.attachments] it finds an attachment whose bytes are missing", async () => {
    const id = shared.scene?.attachmentId ?? "";
    const finding = await only((dataDir) =>
      rm(join(dataDir, "attachments", "kept", id.slice(-2), id)),
    );
    assert.include(finding.message, `attachment ${id} are missing`);
    assert.include(finding.fix, `curl -X DELETE`);
  });

  it("[doctor.clock] it finds a clock that is behind the newest change", async () => {
    const finding = await only((dataDir) =>
      sql(dataDir, "UPDATE events SET created_at = '2100-01-01T00:00:00.000Z'"),
    );
    assert.deepInclude(finding, { check: "clock", fix: "timedatectl set-ntp true" });
    assert.match(finding.message ?? "", /behind the newest stored change \(2100-/);
  });

  it("[doctor.runtimes] it finds an enabled server whose runtime is missing", async () => {
    const missing = Layer.succeed(RuntimeProbe.RuntimeProbe, {
      detect: Effect.succeed({
        node: { detected: true },
        python: { detected: false },
        pipx: { detected: false },
      }),
    });
    const dataDir = await planted((dataDir) =>
      sql(
        dataDir,
        "UPDATE mcp_servers SET status = 'enabled', entry = json_set(entry, '$.runtime', 'python')",
      ),
    );
    const { database } = await Effect.runPromise(
      Inspection.inspect(dataDir, "2026-01-01T00:00:00.000Z"),
    );
    if (database.state !== "current") throw new Error(database.state);
    const findings = await Effect.runPromise(
      Effect.provide(ToolChecks.runtimes(database), missing),
    );
    assert.deepStrictEqual(findings, [
      {
        check: "runtimes",
        severity: "error",
        message: "The MCP server locked needs python, which this host does not have.",
        fix: "sudo apt install python3",
      },
    ]);
  });

  it("[doctor.secrets] it finds secrets that the master key does not decrypt", async () => {
    const removed = await only((dataDir) => rm(join(dataDir, "secret-key")));
    assert.deepInclude(removed, { check: "secrets", severity: "error" });
    assert.match(
      removed.message ?? "",
      /There is no master key in .*, but secrets of MCP servers need one/,
    );
    const damaged = await only((dataDir) => writeFile(join(dataDir, "secret-key"), "x"));
    assert.match(damaged.message ?? "", /does not hold a master key, so no server starts/);
    const QM_SECRET_KEY = Buffer.alloc(32, 1).toString("base64");
    const wrong = await only(() => undefined, { QM_SECRET_KEY });
    assert.match(
      wrong.message ?? "",
      /locked cannot be decrypted with QM_SECRET_KEY: CANARY \(key/,
    );
    assert.match(wrong.fix ?? "", /^export QM_SECRET_KEY=/);
    assert.notInclude(JSON.stringify(wrong), QM_SECRET_KEY);
  });

  it("[doctor.work] it finds runs that expired unrecorded and issues whose runs died too often", async () => {
    const id = shared.scene?.issueId ?? "";
    const expired = await only((dataDir) =>
      sql(
        dataDir,
        `INSERT INTO runs (id, agent_id, issue_id, project_id, status, comment_seq, started_at,
           lease_seconds, lease_expires_at)
         VALUES ('run_1', 'bot', '${id}', 'p1', 'active', 0, '2026-01-01T00:00:00.000Z', 60,
           '2026-01-01T00:01:00.000Z')`,
      ),
    );
    assert.deepInclude(expired, { check: "work", severity: "warning", fix: "quartermaster serve" });
    assert.match(expired.message ?? "", /run run_1 \(agent bot, issue iss_\w+\) expired at 2026/);
    const exhausted = await only((dataDir) =>
      sql(dataDir, "UPDATE issues SET paused_because = 'tooManyAttempts', attempts = 3"),
    );
    assert.strictEqual(exhausted.fix, `quartermaster issue resume ${id}`);
    assert.include(exhausted.message, "3 runs died or failed");
  });

  it("[doctor.webhooks] it finds failing webhooks, deliveries that no server sends, and their lost secrets", async () => {
    const webhook = (status: string, reason: string) =>
      `INSERT INTO webhooks (id, url, name, kinds, format, status, status_reason, secret_set_at,
         created_by_type, created_by_id, created_at, updated_at, event_cursor, timeouts)
       VALUES ('whk_1', 'https://a.example/…', 'Chat', '["attention"]', 'text', '${status}', ${reason},
         '2026-01-01T00:00:00.000Z', 'User', 'ada', '2026-01-01T00:00:00.000Z',
         '2026-01-01T00:00:00.000Z', 0, 0);`;
    const delivery = (due: string) =>
      `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_seq, kind, status, attempts,
         next_attempt_at, created_at)
       VALUES ('dlv_1', 'whk_1', 'evt_1', 1, 'issue.asked', 'pending', 0, '${due}', '${due}');`;
    for (const [status, reason, words] of [
      ["failing", "'noSuccess'", "an event failed ten times"],
      ["disabled", "'gone'", "responded with 410"],
    ] as const) {
      const found = await only((dataDir) => sql(dataDir, webhook(status, reason)));
      assert.deepInclude(found, {
        check: "webhooks",
        severity: "warning",
        fix: "quartermaster webhook edit whk_1 --status enabled",
      });
      assert.include(found.message, words);
    }
    const enabled = webhook("enabled", "NULL");
    const overdue = await only((dataDir) =>
      sql(dataDir, enabled + delivery("2026-01-01T00:00:00.000Z")),
    );
    assert.deepInclude(overdue, { check: "webhooks", fix: "quartermaster serve" });
    assert.match(
      overdue.message ?? "",
      /^1 delivery to the webhook Chat should have been sent \d+ minutes ago/,
    );
    const lost = await only((dataDir) =>
      sql(
        dataDir,
        `${enabled} INSERT INTO webhook_secrets (webhook_id, name, key_id, nonce, sealed)
          SELECT 'whk_1', 'secret', key_id, nonce, sealed FROM mcp_secrets LIMIT 1;`,
      ),
    );
    assert.deepInclude(lost, { check: "secrets", severity: "error" });
    assert.match(lost.message ?? "", /webhook Chat cannot be decrypted with .*: secret \(key/);
  });

  it.skipIf(process.platform !== "linux")(
    "[doctor.processes] it finds processes of MCP servers whose service crashed",
    async () => {
      const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child, "spawn");
      const { start, system } = await Effect.runPromise(
        Effect.gen(function* () {
          const identity = yield* ProcessIdentity;
          return { system: identity.system, start: yield* identity.startOf(child.pid ?? 0) };
        }).pipe(Effect.provide(ProcessIdentity.layer.pipe(Layer.provide(NodeServices.layer)))),
      );
      const finding = await only(async (dataDir) => {
        await mkdir(join(dataDir, "processes"), { recursive: true });
        const leader = { pid: child.pid, start };
        const record = { system, owner: { pid: 1, start: "never" }, leader, marker: "gone" };
        await writeFile(join(dataDir, "processes", "one.json"), JSON.stringify(record));
      });
      assert.deepInclude(finding, { check: "processes", fix: `kill -- -${child.pid}` });
      // It is alive, and its record is still there.
      assert.isNull(child.exitCode);
      await readFile(join(finding.dataDir, "processes", "one.json"));
    },
  );
});
