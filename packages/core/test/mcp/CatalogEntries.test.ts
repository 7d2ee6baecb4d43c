import { assert, describe } from "@effect/vitest";
import { CatalogEntries, type CatalogEntry, Principal, Timestamp } from "@quartermaster/core";
import {
  Callers,
  Fixtures,
  ScriptedPackages,
  ScriptedSpawner,
  TestCatalog,
  TestCore,
} from "@quartermaster/testing";
import { Effect } from "effect";
import { assertTag, check, checkWith, refusal, world } from "../support/McpWorld.ts";

const catalog = CatalogEntries.CatalogEntries;
const owner = Callers.as(Principal.user("ada", "Owner"));

const tickets = {
  id: "tickets",
  name: "Tickets",
  description: "The tickets of the help desk",
  category: "saas",
  transport: "stdio",
  runtime: "none",
  installInstructions: "Nothing to do.",
  manifest: { command: "tickets", args: ["--team", "${TEAM}"] },
  envVars: [{ name: "TEAM", description: "The team", required: true, secret: false }],
} as const;

const create = (overrides: Record<string, unknown> = {}) =>
  owner(catalog.use((entries) => entries.create({ ...tickets, ...overrides })));
const put = (id: string, overrides: Record<string, unknown> = {}) =>
  owner(catalog.use((entries) => entries.put(id, { ...tickets, ...overrides })));
const remove = (id: string) => owner(catalog.use((entries) => entries.remove(id)));

describe("The catalog of the host and its Owners", () => {
  check(
    "[catalog.entries] entries are listed by category and read by id, an Owner's after the host's",
    Effect.gen(function* () {
      const entries = yield* catalog;
      assert.deepStrictEqual(
        (yield* entries.list("cloud")).map(({ id }) => id),
        ["aws-api", "aws-knowledge", "azure", "kubernetes", "cloudflare-docs"],
      );
      assert.strictEqual((yield* entries.get("time")).name, "Time");
      assert.strictEqual((yield* entries.get("time")).source, "builtin");
      assert.strictEqual((yield* entries.get("test-notes")).source, "file");
      const error = yield* refusal(entries.get("nothing"));
      assert.deepInclude(error, { _tag: "NotFound", resource: "catalogEntry", id: "nothing" });
      yield* create();
      yield* create({ id: "another" });
      const listed = yield* entries.list();
      assert.deepStrictEqual(
        listed.slice(-2).map(({ id, source }) => [id, source]),
        [
          ["tickets", "own"],
          ["another", "own"],
        ],
      );
      assert.notProperty(listed.at(-1), "manifest");
    }),
  );

  check(
    "[catalog.own.create] an Owner creates an entry, which is not verified whatever the body says",
    Effect.gen(function* () {
      const entry = yield* create({ verified: true, source: "builtin" });
      assert.deepInclude(entry, { id: "tickets", verified: false, source: "own" });
      assert.deepStrictEqual(yield* (yield* catalog).get("tickets"), entry);
      const { env, id, status } = yield* world.install("tickets", { TEAM: "blue" });
      assert.deepStrictEqual([env, status], [[{ name: "TEAM", isSet: true }], "disabled"]);
      assert.strictEqual((yield* world.get(id)).catalogId, "tickets");
    }),
  );

  check(
    "[catalog.own.invalid] what a catalog file may not have is refused by its field",
    Effect.gen(function* () {
      const cases = [
        [{ id: "No" }, "id"],
        [{ category: "games" }, "category"],
        [{ envVars: [] }, "manifest"],
        [{ manifest: { command: "x", package: "p" } }, "manifest.version"],
        [{ more: 1 }, "more"],
      ] as const;
      for (const [overrides, path] of cases) {
        const error = yield* refusal(create(overrides));
        assert.strictEqual(error._tag, "InvalidRequest", path);
        assert.strictEqual("errors" in error && error.errors[0]?.path, path);
      }
      assert.lengthOf(yield* (yield* catalog).list(), 36 + TestCatalog.entries.length);
    }),
  );

  check(
    "[catalog.own.variables] a variable that a loader or a runtime reads is refused by its path",
    Effect.gen(function* () {
      const refused = [
        "LD_PRELOAD",
        "LD_AUDIT",
        "DYLD_INSERT_LIBRARIES",
        "GCONV_PATH",
        "OPENSSL_CONF",
        "NODE_OPTIONS",
        "NODE_PATH",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "BASH_ENV",
        "ENV",
        "PERL5OPT",
        "RUBYOPT",
        "JAVA_TOOL_OPTIONS",
        "DOTNET_STARTUP_HOOKS",
      ];
      for (const name of refused) {
        const fixed = { ...tickets.manifest, env: { [name]: "x" } };
        const error = yield* refusal(create({ manifest: fixed }));
        assert.strictEqual("errors" in error && error.errors[0]?.path, `manifest.env.${name}`);
        const variable = { ...tickets.envVars[0], name };
        const other = yield* refusal(create({ envVars: [...tickets.envVars, variable] }));
        assert.strictEqual("errors" in other && other.errors[0]?.path, "envVars.1.name");
      }
      yield* create();
      const env = { LD_PRELOAD: "./evil.so" };
      const error = yield* refusal(put("tickets", { manifest: { ...tickets.manifest, env } }));
      assert.strictEqual(error._tag, "InvalidRequest");
      const harmless = { NODE_ENV: "production", PYTHONUNBUFFERED: "1", ENVIRONMENT: "test" };
      yield* put("tickets", { manifest: { ...tickets.manifest, env: harmless } });
    }),
  );

  check(
    "[catalog.own.paths] an own entry's sandbox opens only folders that the operator allows",
    Effect.gen(function* () {
      const withPaths = (read: ReadonlyArray<string>, write: ReadonlyArray<string> = []) => ({
        manifest: { ...tickets.manifest, sandbox: { read, write } },
      });
      const allowed = `${ScriptedPackages.ScriptedPackages.allowed}notes`;
      const error = yield* refusal(create(withPaths([allowed, "/etc"], ["/home/ada/.ssh"])));
      assert.deepStrictEqual("errors" in error && error.errors.map(({ path }) => path), [
        "manifest.sandbox.read.1",
        "manifest.sandbox.write.0",
      ]);
      assert.include(error.message, "allowedPaths");
      yield* create(withPaths([allowed], ["${TEAM}"]));
      const server = yield* world.scripted("tickets");
      const inside = yield* world.install("tickets", { TEAM: `${allowed}/team` });
      assert.strictEqual((yield* world.verify(inside.id)).status, "ok");
      const outside = yield* world.install("tickets", { TEAM: "/etc" });
      const { details, status } = yield* world.verify(outside.id);
      assert.strictEqual(status, "error");
      assert.include(details, "The sandbox path ${TEAM} is not in a folder that allowedPaths");
      assert.lengthOf(server.targets, 1);
    }),
  );

  check(
    "[catalog.own.locked] an own entry's dependencies are locked at its creation, also after a change",
    Effect.gen(function* () {
      const lockOf = ({ manifest }: CatalogEntry.CatalogEntry) =>
        "lockedAt" in manifest ? manifest.lockedAt : undefined;
      const manifest = { command: "tickets", package: "tickets", version: "1.0.0" };
      const created = yield* create({ runtime: "node", manifest });
      const first = yield* Timestamp.now;
      assert.strictEqual(lockOf(created), first);
      yield* world.pass("1 minute");
      const described = yield* put("tickets", { runtime: "node", manifest, description: "Again" });
      assert.strictEqual(lockOf(described), first);
      const next = { ...manifest, version: "1.1.0" };
      const moved = yield* put("tickets", { runtime: "node", manifest: next });
      assert.strictEqual(lockOf(moved), yield* Timestamp.now);
      const dated = { ...manifest, lockedAt: "2026-01-31" };
      assert.strictEqual(
        lockOf(yield* put("tickets", { runtime: "node", manifest: dated })),
        "2026-01-31",
      );
      assert.isNull(lockOf(yield* create({ id: "local" })));
      const wrong = { ...manifest, lockedAt: "2026-01-31T25:00:00Z" };
      yield* assertTag(put("tickets", { runtime: "node", manifest: wrong }), "InvalidRequest");
    }),
  );

  check(
    "[catalog.own.taken] an id in use is refused, also one of the host",
    Effect.gen(function* () {
      yield* create();
      yield* assertTag(create(), "EntryIdTaken");
      yield* assertTag(create({ id: "github" }), "EntryIdTaken");
    }),
  );

  check(
    "[catalog.own.put] PUT replaces an own entry; servers keep their copy until they move to it",
    Effect.gen(function* () {
      yield* create();
      const { id } = yield* world.install("tickets", { TEAM: "blue" });
      yield* world.scripted("tickets2");
      const manifest = { command: "tickets2" };
      const changed = yield* put("tickets", { manifest, envVars: [], description: "Again" });
      assert.strictEqual(changed.description, "Again");
      const copy = yield* world.get(id);
      assert.deepStrictEqual(copy.env, [{ name: "TEAM", isSet: true }]);
      assert.isTrue(copy.updateAvailable);
      const moved = yield* world.update(id, { version: "catalog" });
      assert.deepStrictEqual([moved.env, moved.updateAvailable], [[], false]);
      const wrong = yield* refusal(put("tickets", { id: "others" }));
      assert.deepInclude(wrong, { _tag: "InvalidRequest" });
      yield* assertTag(put("none", { id: "none" }), "NotFound");
    }),
  );

  check(
    "[catalog.own.in-use] entries of the host cannot be changed, nor an installed own one deleted",
    Effect.gen(function* () {
      yield* assertTag(put("github", { id: "github" }), "EntryInUse");
      yield* assertTag(put("test-notes", { id: "test-notes" }), "EntryInUse");
      yield* assertTag(put("github"), "EntryInUse");
      yield* assertTag(remove("github"), "EntryInUse");
      yield* create();
      const { id } = yield* world.install("tickets", { TEAM: "blue" });
      yield* assertTag(remove("tickets"), "EntryInUse");
      yield* world.uninstall(id);
      yield* remove("tickets");
      yield* assertTag((yield* catalog).get("tickets"), "NotFound");
      yield* assertTag(remove("tickets"), "NotFound");
    }),
  );

  check(
    "[sandbox.unvetted] the spawner gets which program is of an Owner's entry",
    Effect.gen(function* () {
      const script = yield* ScriptedSpawner.ScriptedSpawner;
      script.choose = ({ isOwn }) => (isOwn ? "bubblewrap" : "direct");
      yield* create();
      const { sandbox } = yield* world.install("tickets", { TEAM: "blue" });
      assert.strictEqual(sandbox, "bubblewrap");
      assert.strictEqual((yield* world.install("test-tool")).sandbox, "direct");
    }),
  );

  check(
    "[catalog.own.events] each change is an event",
    Effect.gen(function* () {
      yield* create();
      yield* put("tickets");
      yield* remove("tickets");
      const events = yield* world.events;
      assert.deepStrictEqual(
        events.map(({ data, kind, subjectId }) => [kind, subjectId, data]),
        ["created", "updated", "deleted"].map((change) => [
          "mcp.catalogChanged",
          "tickets",
          { name: "Tickets", change },
        ]),
      );
    }),
  );

  check(
    "[catalog.own.owner] only an Owner without projects changes the catalog",
    Effect.gen(function* () {
      const entries = yield* catalog;
      yield* assertTag(entries.create(tickets), "Forbidden");
      yield* assertTag(entries.put("tickets", tickets), "Forbidden");
      yield* assertTag(entries.remove("tickets"), "Forbidden");
      const bound = Callers.as({ ...Principal.user("ada", "Owner"), projects: ["p1"] });
      yield* assertTag(bound(entries.create(tickets)), "Forbidden");
    }),
  );

  checkWith(
    "[catalog.own.hidden] an entry of the host hides an own one of the same id",
    Effect.gen(function* () {
      const node = yield* world.nodes;
      const before = yield* node();
      yield* before(create());
      const theirs = Fixtures.entry({ id: "tickets", name: "Of the company" });
      const after = yield* node({ catalog: TestCore.catalog([theirs]) });
      const found = yield* after(catalog.use((entries) => entries.get("tickets")));
      assert.deepInclude(found, { name: "Of the company", source: "file" });
      const ids = yield* after(
        Effect.map(
          catalog.use((entries) => entries.list()),
          (all) => all.map(({ id }) => id),
        ),
      );
      assert.lengthOf(
        ids.filter((id) => id === "tickets"),
        1,
      );
      yield* assertTag(after(remove("tickets")), "EntryInUse");
    }),
  );
});
