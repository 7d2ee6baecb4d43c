import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, inject, it, vi } from "@effect/vitest";
import { Effect, Redacted } from "effect";
import { temporaryFolder } from "../../server/test/Quartermaster.ts";
import * as Program from "../../server/test/support/Program.ts";
import * as Inspection from "../src/Inspection.ts";
import * as Node from "./support/Node.ts";
import { withServer } from "./support/TestStorage.ts";

vi.setConfig({ testTimeout: 120_000 });

const ready = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status);

withServer(() => {
  describe("a server with QM_DATABASE_URL", () => {
    it("three servers start on an empty database at the same time, and one of them makes the Owner key", async () => {
      const nodes = await Node.startAll(3, Node.variables());
      assert.deepStrictEqual(
        await Promise.all(nodes.map(({ server }) => ready(server.url))),
        [200, 200, 200],
      );
      const owners = nodes.filter(({ dataDir }) => existsSync(join(dataDir, "owner-key")));
      assert.lengthOf(owners, 1);
      for (const { dataDir } of nodes) {
        const databases = readdirSync(dataDir).filter((name) =>
          name.startsWith("quartermaster.db"),
        );
        assert.deepStrictEqual(databases, []);
        assert.isFalse(existsSync(join(dataDir, "secret-key")));
      }
      const [first, second, third] = nodes.map(({ server }) => server);
      assert(first !== undefined && second !== undefined && third !== undefined);
      const { body, status, text } = await first.call("POST", "/api/projects/p/issues", {
        body: { title: "Shared" },
      });
      assert.strictEqual(status, 201, text);
      for (const server of [second, third]) {
        const read = await server.call("GET", `/api/projects/issues/${body.id}`);
        assert.strictEqual(read.status, 200, read.text);
        const keys = await server.call("GET", "/api/keys");
        assert.lengthOf(keys.body, 1);
      }
    });

    it("two servers with two connections each serve 16 callers at the same time", async () => {
      const nodes = await Node.startAll(2, { ...Node.variables(), QM_DATABASE_POOL: "2" });
      const statuses = new Set<number | undefined>();
      const call = async (n: number) => {
        const server = nodes[n % 2]?.server;
        const body = { title: `Issue ${n}`, assignedAgentId: `a${n % 5}` };
        const answer = await (n % 3 === 0
          ? server?.call("POST", `/api/agents/a${n % 5}/heartbeat`, { body: {} })
          : server?.call("POST", "/api/projects/p/issues", { body }));
        statuses.add(answer?.status);
      };
      const callers = Array.from({ length: 16 }, async (_, caller) => {
        for (let n = caller; n < 192; n += 16) await call(n);
      });
      await Promise.all(callers);
      assert.sameMembers([...statuses], [200, 201]);
    });

    it("a server without QM_SECRET_KEY does not start, and says how to make one", async () => {
      const { QM_SECRET_KEY: _, ...env } = Node.variables();
      const QM_DATA_DIR = await temporaryFolder();
      const { code, stderr } = await Program.run(["serve"], { env: { ...env, QM_DATA_DIR } });
      assert.strictEqual(code, 1);
      assert.match(stderr, /^QM_SECRET_KEY must be set, .*openssl rand -base64 32/u);
      assert.deepStrictEqual(readdirSync(QM_DATA_DIR), []);
    });

    it("a server that must not migrate says what to run, and starts when that was done", async () => {
      const env = { ...Node.variables(), QM_DATABASE_MIGRATE: "never" };
      const QM_DATA_DIR = await temporaryFolder();
      const { code, stderr } = await Program.run(["serve"], { env: { ...env, QM_DATA_DIR } });
      assert.strictEqual(code, 1);
      assert.match(stderr, /^The schema node_\w+ has no tables\. Run quartermaster migrate/u);
      const migrated = await Program.run(["migrate"], { env });
      assert.strictEqual(migrated.code, 0, migrated.stderr);
      const [node] = await Node.startAll(1, env);
      assert.strictEqual(await ready(node?.server.url ?? ""), 200);
    });

    it("a server fails immediately where the database refuses it, without the password", async () => {
      const refused = async (role: string, database: string) => {
        const url = Object.assign(new URL(inject("postgres")), {
          username: role,
          password: "hunter2",
          pathname: database,
        });
        const env = { ...Node.variables(url.href), QM_DATA_DIR: await temporaryFolder() };
        const { code, stderr } = await Program.run(["serve"], { env: { ...env, QM_PORT: "0" } });
        assert.strictEqual(code, 1);
        assert.notInclude(stderr, "hunter2");
        return stderr;
      };
      assert.match(await refused("nobody", "postgres"), /role "nobody" does not exist/u);
      assert.match(await refused("postgres", "nowhere"), /database "nowhere" does not exist/u);
    });
  });

  describe("commands with QM_DATABASE_URL", () => {
    it("migrate creates the schema, and has nothing to do afterwards", async () => {
      const env = Node.variables();
      const first = await Program.run(["migrate"], { env });
      assert.strictEqual(first.code, 0, first.stderr);
      assert.match(
        first.stdout,
        /^Ran 1 migration \(0001_initial\) in 127\.0\.0\.1:\d+\/postgres, schema node_/u,
      );
      const second = await Program.run(["migrate"], { env });
      assert.strictEqual(second.code, 0, second.stderr);
      assert.match(second.stdout, /^Nothing to do: /u);
      const json = await Program.run(["migrate", "--json"], { env });
      assert.deepStrictEqual(JSON.parse(json.stdout), {
        schema: env["QM_DATABASE_SCHEMA"],
        migrations: [],
      });
    });

    it("migrate without QM_DATABASE_URL is refused", async () => {
      const { code, stderr } = await Program.run(["migrate"]);
      assert.strictEqual(code, 1);
      assert.include(stderr, "QM_DATABASE_URL must be set");
    });

    it("doctor says whether the database responds, its version and its migrations", async () => {
      const env = { ...Node.variables(), QM_DATA_DIR: await temporaryFolder() };
      const empty = await Program.run(["doctor"], { env });
      assert.strictEqual(empty.code, 2);
      assert.match(empty.stdout, /There are no tables in .*\n {2}quartermaster migrate/u);
      await Program.run(["migrate"], { env });
      const well = await Program.run(["doctor"], { env });
      assert.strictEqual(well.code, 0, well.stdout + well.stderr);
      assert.match(
        well.stdout,
        /^PostgreSQL \d+\.\d+ responds at .* has 1 migration up to 0001_initial\.$/mu,
      );
      const { database } = JSON.parse((await Program.run(["doctor", "--json"], { env })).stdout);
      assert.deepStrictEqual(database.migrations, ["0001_initial"]);
      const QM_DATABASE_URL = "postgres://someone@127.0.0.1:1/postgres";
      const gone = await Program.run(["doctor"], { env: { ...env, QM_DATABASE_URL } });
      assert.strictEqual(gone.code, 2);
      assert.match(gone.stdout, /cannot be used: The database cannot be reached/u);
    });

    it("[doctor.work] doctor finds issues whose runs died too often, and knows the runtimes of MCP servers", async () => {
      const variables: Record<string, string> = { ...Node.variables(), QM_MAX_ATTEMPTS: "1" };
      const [node] = await Node.startAll(1, variables);
      assert(node !== undefined);
      const { dataDir, server } = node;
      const { body: issue } = await server.call("POST", "/api/projects/p/issues", {
        body: { title: "Fails", assignedAgentId: "a" },
      });
      const { body } = await server.call("POST", "/api/agents/a/heartbeat", { body: {} });
      const { status, text } = await server.call(
        "POST",
        `/api/agents/a/runs/${body.started[0].runId}/finish`,
        { body: { outcome: "failed", retry: true } },
      );
      assert.strictEqual(status, 200, text);
      const installed = await server.call("POST", "/api/mcp/installed", {
        body: { catalogId: "time", name: "clock" },
      });
      assert.strictEqual(installed.status, 201, installed.text);
      const doctor = await Program.run(["doctor", "--json"], {
        env: { ...variables, QM_DATA_DIR: dataDir },
      });
      assert.strictEqual(doctor.code, 2, doctor.stdout);
      assert.deepInclude(JSON.parse(doctor.stdout).findings, {
        check: "work",
        severity: "warning",
        message: `Issue ${issue.id} is paused: 1 run died or failed.`,
        fix: `quartermaster issue resume ${issue.id}`,
      });
      const { tables } = await Effect.runPromise(
        Inspection.inspect({
          url: Redacted.make(inject("postgres")),
          schema: variables["QM_DATABASE_SCHEMA"] ?? "",
        }),
      );
      assert.deepStrictEqual(tables?.servers, [
        { name: "clock", status: installed.body.status, runtime: "python" },
      ]);
      assert.deepStrictEqual(tables?.expiredRuns, []);
    });

    it.each([["migrate"], ["backup", "file"], ["rotate-key"]])(
      "%s exits with 5 if the database cannot be reached, and with 2 if it refuses",
      async (...given: ReadonlyArray<string>) => {
        const folder = await temporaryFolder();
        const args = given.map((arg) => (arg === "file" ? join(folder, arg) : arg));
        const variables = { ...Node.variables(), QM_DATA_DIR: join(folder, "data") };
        const gone = await Program.run(args, {
          env: { ...variables, QM_DATABASE_URL: "postgres://someone@127.0.0.1:1/postgres" },
        });
        assert.strictEqual(gone.code, 5, gone.stderr);
        assert.match(
          gone.stderr,
          /127\.0\.0\.1:1\/postgres, schema \w+ cannot be reached\. Start PostgreSQL, or correct QM_DATABASE_URL\./u,
        );
        const url = new URL(inject("postgres"));
        url.pathname = "/nosuch";
        const refused = await Program.run(args, {
          env: { ...variables, QM_DATABASE_URL: url.href },
        });
        assert.strictEqual(refused.code, 2, refused.stderr);
        assert.match(
          refused.stderr,
          /"nosuch" does not exist \(3D000\)\. Correct QM_DATABASE_URL, or run `quartermaster doctor`\./u,
        );
      },
    );

    it("a start on a database that does not exist says what to do", async () => {
      const url = new URL(inject("postgres"));
      url.pathname = "/nosuch";
      const { server } = await Node.serve(Node.variables(url.href));
      assert.deepStrictEqual(await server.exited, { code: 1, signal: null });
      assert.match(
        server.stderr,
        /"nosuch" does not exist \(3D000\)\. Correct QM_DATABASE_URL, or run `quartermaster doctor`\./u,
      );
    });

    it("a file of QM_DATABASE_CA that cannot be read is refused by the name of the variable", async () => {
      const env = { ...Node.variables(), QM_DATABASE_CA: "/nowhere" };
      const { code, stderr } = await Program.run(["migrate"], { env });
      assert.strictEqual(code, 1);
      assert.include(
        stderr,
        "QM_DATABASE_CA must name a PEM file that this user may read, but /nowhere cannot be read.",
      );
    });

    it("rotate-key needs the tables of a server, and encrypts secrets under the newest key", async () => {
      const env = { ...Node.variables(), QM_DATA_DIR: await temporaryFolder() };
      const refused = await Program.run(["rotate-key"], { env });
      assert.strictEqual(refused.code, 1);
      assert.match(refused.stderr, /no tables of Quartermaster in /u);
      await Program.run(["migrate"], { env });
      const { code, stderr, stdout } = await Program.run(["rotate-key"], { env });
      assert.strictEqual(code, 0, stderr);
      assert.include(stdout, "All secrets are stored under it now.");
    });
  });
});
