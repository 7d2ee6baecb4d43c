import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { assert, describe, it } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

/** `scripts/fixture.mjs` fills one for each release. */
const databases = join(import.meta.dirname, "databases");
const earlier = readdirSync(databases);

/** A data directory of a release. */
const directoryOf = async (version: string) => {
  const folder = await temporaryFolder();
  const from = join(databases, version);
  for (const name of ["owner-key", "secret-key"]) {
    writeFileSync(join(folder, name), readFileSync(join(from, name)), { mode: 0o600 });
  }
  const database = gunzipSync(readFileSync(join(from, "quartermaster.db.gz")));
  writeFileSync(join(folder, "quartermaster.db"), database);
  return folder;
};

describe("an upgrade", () => {
  it("has a database of every release in the changelog", () => {
    const changelog = join(import.meta.dirname, "../CHANGELOG.md");
    const text = existsSync(changelog) ? readFileSync(changelog, "utf8") : "";
    const released = [...text.matchAll(/^## (\d\S*)$/gm)].map(([, version = ""]) => version);
    assert.deepStrictEqual(
      released.filter((version) => !earlier.includes(version)),
      [],
    );
    assert.isNotEmpty(earlier);
  });

  for (const version of earlier) {
    it(`[server.earlier] starts on the database of ${version}, with all that it stores`, async () => {
      const server = await Quartermaster.start(await directoryOf(version));
      const get = async (path: string) => {
        const { body, status } = await server.call("GET", path);
        assert.strictEqual(status, 200, path);
        return body;
      };
      const [boat, sail] = await get("/api/projects/shop/issues?order=asc");
      assert.deepStrictEqual(
        [boat.key, boat.title, boat.status, boat.priority, boat.labels, sail.key, sail.status],
        [
          "SHOP-1",
          "Paint the boat",
          "InProgress",
          "high",
          ["boat"],
          "SHOP-2",
          "WaitingOnDependency",
        ],
      );
      const issue = `/api/projects/issues/${boat.id}`;
      assert.strictEqual((await get(issue)).description, "In **blue**.");
      const [link] = await get(`${issue}/links`);
      assert.deepStrictEqual([link.linkType, link.targetIssueId], ["Blocks", sail.id]);
      const [comment] = await get(`${issue}/comments`);
      assert.strictEqual(comment.content, "The lantern is missing.");
      assert.isNotEmpty(await get(`${issue}/activity`));
      assert.strictEqual((await get("/api/search?q=lantern"))[0].id, boat.id);
      assert.strictEqual((await get("/api/runs"))[0].issueId, boat.id);
      assert.strictEqual((await get("/api/views"))[0].name, "Boats");
      assert.include(JSON.stringify(await get("/api/webhooks")), "Harbor");
      assert.include(JSON.stringify(await get("/api/mcp/installed")), "tavily");
      const made = await server.call("POST", "/api/projects/shop/issues", {
        body: { title: "Row" },
      });
      assert.strictEqual(made.body.key, "SHOP-3");
      // A secret that no master key decrypts is an error of the start.
      assert.isEmpty(server.lines.filter(({ level }) => level === "ERROR"));
    });
  }

  it("[server.newer] a program refuses the database of a newer one, and leaves it as it is", async () => {
    const folder = await temporaryFolder();
    const server = await Quartermaster.start(folder);
    await server.kill("SIGTERM");
    const file = join(folder, "quartermaster.db");
    const database = new DatabaseSync(file);
    database.exec("INSERT INTO migrations (migration_id, name) VALUES (9999, 'later')");
    database.close();
    const before = readFileSync(file);
    const old = Quartermaster.serve(folder);
    assert.deepStrictEqual(await old.exited, { code: 1, signal: null });
    assert.match(
      old.stderr,
      /was written by a newer version \(it has 9999_later\)\. Use that version, or restore a backup\.?\n$/,
    );
    assert.isTrue(before.equals(readFileSync(file)));
  });
});
