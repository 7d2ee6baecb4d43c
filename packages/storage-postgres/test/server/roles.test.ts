import { readFileSync } from "node:fs";
import { PgClient } from "@effect/sql-pg";
import { assert, describe, inject, it, onTestFinished, vi } from "@effect/vitest";
import { Effect, Redacted } from "effect";
import * as Program from "../../../server/test/support/Program.ts";
import { Cluster } from "../support/Cluster.ts";
import * as Node from "../support/Node.ts";

vi.setConfig({ testTimeout: 120_000 });

const page = readFileSync(
  new URL("../../../../docs/operating/postgres.md", import.meta.url),
  "utf8",
);
const [, statements = ""] = /```sql\n([^`]*)```/u.exec(page) ?? [];

describe.skipIf(inject("postgres") === "")("the roles of docs/operating/postgres.md", () => {
  it("one role migrates, and servers whose role has only rows and time limits work", async () => {
    const cluster = await Cluster.start();
    onTestFinished(() => cluster.remove());
    assert.include(statements, "CREATE ROLE quartermaster ");
    await Effect.runPromise(
      Effect.flatMap(PgClient.PgClient, (sql) =>
        Effect.forEach(
          statements.split(/;.*\n/u).filter((text) => text.trim() !== ""),
          (text) => sql.unsafe(text).unprepared,
        ),
      ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(cluster.url) }))),
    );
    const as = (role: string) => ({
      ...Node.variables(cluster.url.replace("postgres@", `${role}@`)),
      QM_DATABASE_SCHEMA: "quartermaster",
    });
    const refused = await Program.run(["migrate"], { env: as("quartermaster") });
    assert.strictEqual(refused.code, 2);
    assert.match(refused.stderr, /permission denied for schema quartermaster/u);

    const migrated = await Program.run(["migrate"], { env: as("quartermaster_owner") });
    assert.strictEqual(migrated.code, 0, migrated.stderr);
    const nodes = await Node.startAll(2, { ...as("quartermaster"), QM_DATABASE_MIGRATE: "never" });
    const [one, other] = nodes.map(({ server }) => server);
    assert(one !== undefined && other !== undefined);
    const { body } = await one.call("POST", "/api/projects/p/issues", {
      body: { title: "Limited", assignedAgentId: "bot" },
    });
    const beat = await other.call("POST", "/api/agents/bot/heartbeat", { body: {} });
    assert.strictEqual(beat.body.started?.[0].issue.id, body.id, beat.text);
    const form = new FormData();
    form.set("file", new Blob(["bytes"]), "file.txt");
    const uploaded = await fetch(`${one.url}/api/projects/issues/${body.id}/attachments`, {
      method: "POST",
      headers: { authorization: `Bearer ${one.key}` },
      body: form,
    });
    assert.strictEqual(uploaded.status, 201, await uploaded.text());
    const doctor = await Program.run(["doctor"], {
      env: { ...as("quartermaster"), QM_DATA_DIR: nodes[0]?.dataDir ?? "" },
    });
    assert.strictEqual(doctor.code, 0, doctor.stdout);
    const file = `${nodes[0]?.dataDir ?? ""}/backup`;
    const backup = await Program.run(["backup", file], { env: as("quartermaster") });
    assert.strictEqual(backup.code, 0, backup.stderr);
    assert.match(backup.stdout, /^Backed up 1 issue and 1 attachment /);
    for (const { lines } of [one, other]) {
      assert.deepStrictEqual(
        lines.filter(({ level }) => level === "ERROR" || level === "WARN"),
        [],
      );
    }
  });
});
