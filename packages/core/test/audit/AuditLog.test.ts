import { assert, describe } from "@effect/vitest";
import {
  Agents,
  AuditLog,
  CatalogEntries,
  CurrentClient,
  CurrentKey,
  Keys,
  Principal,
  Projects,
  Sessions,
  Transactor,
} from "@quartermaster/core";
import { Callers, Fixtures } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import { admin, assertTag, check, secret, world } from "../support/McpWorld.ts";
import * as OAuth from "../support/OAuthWorld.ts";

const audit = AuditLog.AuditLog;
const owner = Callers.as(Principal.user("ada", "Owner"));

/** Every entry, oldest first, without the time and the client. */
const entries = Effect.map(
  audit.use(({ list }) => list({ order: "asc" })),
  ({ items }) =>
    items.map(({ action, actor, changes, subject }) => ({
      action,
      by: actor.id,
      subject,
      changes,
    })),
);

/** The actions and changes of every entry, oldest first. */
const changes = Effect.map(entries, (all) =>
  all.map((entry) => [entry.action, ...entry.changes].join(" ")),
);

describe("The audit log", () => {
  check(
    "[audit.keys] the creation and the deletion of a key are entries with the client of the request",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const { id } = yield* keys.create({ name: "CI", role: "Editor" }).pipe(
        Effect.provideService(CurrentKey.CurrentKey, "key_own"),
        Effect.provideService(CurrentClient.CurrentClient, {
          address: "192.0.2.7",
          userAgent: "x".repeat(300),
        }),
      );
      yield* keys.remove(id);
      const { items } = yield* audit.use(({ list }) => list());
      const subject = { type: "key", id, name: "CI" } as const;
      const entry = { at: "1970-01-01T00:00:00.000Z", actor: Principal.actorOf(admin), subject };
      const none = { keyId: null, address: null, userAgent: null, changes: [] };
      assert.deepStrictEqual(items, [
        { ...entry, ...none, action: "key.deleted" },
        {
          ...entry,
          ...none,
          action: "key.created",
          keyId: "key_own",
          address: "192.0.2.7",
          userAgent: "x".repeat(200),
        },
      ]);
    }),
  );

  check(
    "[audit.transaction] a change that is rolled back has no entry",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      const { transact } = yield* Transactor.Transactor;
      const create = keys.create({ name: "CI", role: "Editor" });
      yield* Effect.flip(transact(Effect.andThen(create, Effect.fail("rolled back" as const))));
      yield* assertTag(keys.create({ name: "CI", role: "Owner" }), "Forbidden");
      assert.deepStrictEqual(yield* entries, []);
    }),
  );

  check(
    "[audit.sessions] sign-ins and the ends of sessions are entries; tokens are not",
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions;
      const keys = yield* Keys.Keys;
      const { id } = yield* keys.create({ name: "Eve", role: "Editor", userId: "eve" });
      const credential = yield* keys.credential(id);
      const first = yield* sessions.create(credential);
      const { secret: link } = yield* sessions.signInToken(id);
      yield* sessions.signIn(link);
      const active = yield* sessions.authenticate("cookie", first.secret);
      const token = yield* sessions.token(active.hash);
      yield* sessions.remove(yield* sessions.authenticate("token", token.secret));
      yield* sessions.remove(active);
      const visitor = { ...credential, sessionHash: null };
      const [left] = (yield* sessions.list(visitor)).items;
      yield* sessions.end(visitor, left?.id ?? "");
      const [created, ...others] = yield* entries;
      assert.strictEqual(created?.action, "key.created");
      const own = `ses_${active.hash}`;
      const entry = (action: string, session: string | undefined) => ({
        action,
        by: "eve",
        subject: { type: "session", id: session, name: null },
        changes: [],
      });
      assert.deepStrictEqual<ReadonlyArray<unknown>>(others, [
        entry("session.created", own),
        entry("session.created", left?.id),
        entry("session.deleted", own),
        entry("session.deleted", left?.id),
      ]);
      const { items } = yield* audit.use(({ list }) => list({ actor: "eve" }));
      assert.deepStrictEqual(new Set(items.map(({ keyId }) => keyId)), new Set([id]));
    }),
  );

  check(
    "[audit.servers] changes of a server name its settings and variables, not their values",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      yield* world.enable(id);
      yield* world.enable(id);
      const settings = { idleSeconds: 60, envValues: { NOTES_KEY: "another secret" } };
      yield* world.update(id, { name: "notes-2", ...settings });
      yield* world.update(id, { idleSeconds: 60 });
      yield* world.disable(id);
      yield* world.uninstall(id);
      assert.deepStrictEqual(yield* changes, [
        "server.installed",
        "server.enabled",
        "server.updated name idleSeconds NOTES_KEY",
        "server.disabled",
        "server.uninstalled",
      ]);
      const all = yield* entries;
      assert.deepStrictEqual(all.at(-1), {
        action: "server.uninstalled",
        by: admin.id,
        subject: { type: "server", id, name: "notes-2" },
        changes: [],
      });
      const text = JSON.stringify(all);
      for (const value of [secret, "another secret"]) assert.notInclude(text, value);
    }),
  );

  check(
    "[audit.access] grants, revocations and limits of access name the agents",
    Effect.gen(function* () {
      const { id } = yield* world.notes();
      const grant = (agentId: string) => ({ agentId, granted: true });
      yield* world.putAccess(id, grant("a"), grant("b"), { agentId: "c", granted: false });
      yield* world.putAccess(id, grant("a"));
      yield* world.putAccess(id, { ...grant("a"), tools: ["add"], callsPerMinute: 5 });
      yield* world.putAccess(id, { agentId: "a", granted: false });
      assert.deepStrictEqual((yield* changes).slice(1), [
        "access.granted a b",
        "access.changed a.tools a.callsPerMinute",
        "access.revoked a",
      ]);
    }),
  );

  check(
    "[audit.tools] decisions about tools name the tools that they change",
    Effect.gen(function* () {
      const { id, server } = yield* world.running(["add", "remove"]);
      const description = "Changed";
      server.tools = ["add", "remove"].map((name) => Fixtures.definition(name, { description }));
      yield* world.accept(id);
      yield* world.accept(id);
      const names = { names: ["add"] };
      yield* world.servers((service) => service.blockTools(id, names));
      yield* world.servers((service) => service.blockTools(id, names));
      yield* world.servers((service) => service.unblockTools(id, names));
      const decisions = (yield* changes).filter((change) => change.startsWith("server.tools"));
      assert.deepStrictEqual(decisions, [
        "server.toolsAccepted add remove",
        "server.toolsBlocked add",
        "server.toolsUnblocked add",
      ]);
    }),
  );

  OAuth.check(
    "[audit.authorization] the authorization of a server is an entry of the Admin and the key that started it",
    Effect.gen(function* () {
      const { id } = yield* world.install("test-board");
      const state = yield* OAuth.begun(id).pipe(
        Effect.provideService(CurrentKey.CurrentKey, "key_own"),
      );
      yield* OAuth.complete(state);
      const { items } = yield* audit.use(({ list }) => list({ action: ["server.authorized"] }));
      assert.lengthOf(items, 1);
      assert.deepInclude(items[0], { actor: Principal.actorOf(admin), keyId: "key_own" });
    }),
  );

  check(
    "[audit.settings] changes of agents, projects and catalog entries name the fields",
    Effect.gen(function* () {
      const agents = yield* Agents.Agents;
      const projects = yield* Projects.Projects;
      const catalog = yield* CatalogEntries.CatalogEntries;
      const tickets = {
        id: "tickets",
        name: "Tickets",
        description: "The tickets of the help desk",
        category: "saas",
        transport: "http",
        runtime: "none",
        installInstructions: "Nothing to do.",
        manifest: { url: "https://tickets.example/mcp" },
      } as const;
      yield* agents.put("bot", { paused: true, name: "Bot" });
      yield* agents.put("bot", { paused: true });
      yield* agents.remove("bot");
      yield* projects.create({ id: "shop", name: "Shop" });
      yield* projects.put("shop", { agentsMay: "review", description: "Sales" });
      yield* projects.put("shop", { agentsMay: "review" });
      yield* owner(catalog.create(tickets));
      yield* owner(catalog.put("tickets", { ...tickets, name: "Issues" }));
      yield* owner(catalog.remove("tickets"));
      assert.deepStrictEqual(yield* changes, [
        "agent.updated name paused",
        "agent.deleted",
        "project.created prefix name",
        "project.updated description agentsMay",
        "catalogEntry.created",
        "catalogEntry.updated name",
        "catalogEntry.deleted",
      ]);
      assert.deepStrictEqual((yield* entries)[1]?.subject, {
        type: "agent",
        id: "bot",
        name: "Bot",
      });
    }),
  );

  check(
    "[audit.read] only an Admin that is bound to no project reads the log, by action, actor and time",
    Effect.gen(function* () {
      const keys = yield* Keys.Keys;
      yield* keys.create({ name: "first", role: "Editor" });
      yield* TestClock.adjust("1 hour");
      yield* owner(keys.create({ name: "second", role: "Editor" }));
      const { list } = yield* audit;
      const names = (request: Parameters<typeof list>[0]) =>
        Effect.map(list(request), ({ items }) => items.map(({ subject }) => subject.name));
      const later = "1970-01-01T01:00:00.000Z";
      assert.deepStrictEqual(yield* names({}), ["second", "first"]);
      assert.deepStrictEqual(yield* names({ from: later }), ["second"]);
      assert.deepStrictEqual(yield* names({ to: later }), ["first"]);
      assert.deepStrictEqual(yield* names({ actor: "ada" }), ["second"]);
      assert.deepStrictEqual(yield* names({ action: ["key.deleted"] }), []);
      const { next } = yield* list({ limit: 1 });
      assert.deepStrictEqual(yield* names({ limit: 1, cursor: next ?? "" }), ["first"]);
      yield* assertTag(list({ limit: 1, cursor: next ?? "", actor: "ada" }), "InvalidRequest");
      for (const caller of [
        Principal.user("eve", "Editor"),
        { ...Principal.user("bound", "Admin"), projects: ["shop"] },
      ]) {
        yield* assertTag(Callers.as(caller)(list()), "Forbidden");
      }
    }),
  );
});
