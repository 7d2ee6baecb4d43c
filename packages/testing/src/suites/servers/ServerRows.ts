import { assert } from "@effect/vitest";
import {
  AccessEntry,
  AgentStore,
  type CatalogEntry,
  McpServerStore,
  ToolCallStore,
} from "@quartermaster/core";
import { Effect, Option } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { everything, ids, type It, texts } from "../../Suite.ts";

const { McpServerStore: Servers } = McpServerStore;

const remote: CatalogEntry.CatalogEntry = Fixtures.entry({
  id: "wiki",
  transport: "http",
  runtime: "none",
  verified: false,
  homepage: "https://wiki.example",
  manifest: { url: "https://wiki.example/${SPACE}", headers: { "x-key": "${KEY}" } },
  envVars: [],
});

export const tests = (it: It<Storage>): void => {
  it.effect("insert stores every field and assigns a growing seq", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const row = yield* Fixtures.serverRow({
        name: "wiki",
        entry: remote,
        status: "error",
        formerStatus: "disabled",
        outage: {
          since: Fixtures.at(7),
          reason: "It exited.",
          attempts: 3,
          retryAt: Fixtures.at(9),
        },
        lastVerification: {
          status: "ok",
          details: "Answered in 12 ms with 2 tools.",
          capabilities: ["search", "read"],
          tokens: 34,
          verifiedAt: Fixtures.at(7.5),
        },
        known: false,
        hasResources: true,
        instructions: { accepted: "Read me.", current: null },
        toolsChanged: true,
        generation: 7,
        toolsVersion: 9,
        maxResultBytes: 33_554_432,
        idleSeconds: 0,
        callTimeoutSeconds: 3_600,
        callMaxSeconds: 86_400,
        once: [{ tools: ["pay", "send_*"], by: ["/to", "/a~1b"] }, { tools: ["*"] }],
        onceErrors: "unknown",
        settle: "person",
        sendContext: false,
        recordCalls: "all",
        createdAt: Fixtures.at(1.5),
        updatedAt: Fixtures.at(8),
      });
      const kept = yield* transact(servers.insert(row));
      assert.deepStrictEqual(kept, { ...row, seq: kept.seq });
      assert.deepStrictEqual(yield* servers.get(kept.id), Option.some(kept));
      assert.deepStrictEqual(yield* servers.getByName("wiki"), Option.some(kept));
      assert.deepStrictEqual(yield* servers.get(kept.name), Option.none());
      assert.deepStrictEqual(yield* servers.getByName(kept.id), Option.none());
      const next = yield* Fixtures.server();
      assert.isAbove(next.seq, kept.seq);
      assert.deepStrictEqual(yield* servers.get(next.id), Option.some(next));
    }),
  );

  it.effect("update replaces the row of the same id, and no other", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const server = yield* Fixtures.server();
      const other = yield* Fixtures.server();
      const changed = {
        ...server,
        name: "another-name",
        entry: remote,
        status: "error",
        formerStatus: "disabled",
        outage: { since: Fixtures.at(1), reason: "No.", attempts: 0, retryAt: null },
        lastVerification: {
          status: "error",
          details: "No.",
          tokens: null,
          verifiedAt: Fixtures.at(1),
        },
        known: false,
        hasResources: false,
        instructions: { accepted: null, current: 'Read\n"me".' },
        toolsChanged: true,
        generation: 2,
        toolsVersion: 3,
        maxResultBytes: 1,
        idleSeconds: 31_536_000,
        callTimeoutSeconds: 1,
        callMaxSeconds: 1,
        once: [{ tools: ["mail"] }],
        onceErrors: "unknown",
        settle: "person",
        sendContext: false,
        recordCalls: "none",
        createdAt: Fixtures.at(4),
        updatedAt: Fixtures.at(5),
      } as const;
      yield* transact(servers.update(changed));
      assert.deepStrictEqual(yield* servers.get(server.id), Option.some(changed));
      assert.deepStrictEqual(yield* servers.getByName("another-name"), Option.some(changed));
      assert.deepStrictEqual(yield* servers.getByName(server.name), Option.none());
      assert.deepStrictEqual(yield* servers.get(other.id), Option.some(other));
      yield* transact(servers.update({ ...changed, outage: null, lastVerification: null }));
      const kept = yield* Effect.flatMap(servers.get(server.id), Effect.fromOption);
      assert.isNull(kept.lastVerification);
      assert.isNull(kept.outage);
    }),
  );

  it.effect("update of an unknown server does not add it", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const row = { ...(yield* Fixtures.serverRow()), seq: 1 };
      yield* transact(servers.update(row));
      assert.deepStrictEqual(yield* servers.get(row.id), Option.none());
    }),
  );

  it.effect("names are unique, and available again after a removal or a renaming", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const server = yield* Fixtures.server();
      const { name } = server;
      const other = yield* Fixtures.server();
      const twice = yield* Effect.flip(Fixtures.server({ name }));
      assert.strictEqual(twice._tag, "StorageError");
      const renamed = yield* Effect.flip(transact(servers.update({ ...other, name })));
      assert.strictEqual(renamed._tag, "StorageError");
      assert.deepStrictEqual(yield* servers.getByName(name), Option.some(server));
      assert.deepStrictEqual(yield* servers.get(other.id), Option.some(other));
      yield* transact(servers.update(server));
      yield* transact(servers.update({ ...server, name: `${name}-2` }));
      const second = yield* Fixtures.server({ name });
      yield* transact(servers.remove(second.id));
      const third = yield* Fixtures.server({ name });
      assert.deepStrictEqual(yield* servers.getByName(name), Option.some(third));
    }),
  );

  it.effect.each(texts)("keeps the entry's text %j", (text) =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const entry = Fixtures.entry({ description: text, installInstructions: text });
      const { id } = yield* Fixtures.server({ entry });
      const kept = yield* Effect.flatMap(servers.get(id), Effect.fromOption);
      assert.deepStrictEqual(kept.entry, entry);
    }),
  );
};

export const list = (it: It<Storage>): void => {
  it.effect("list shows all, oldest first", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      assert.deepStrictEqual(yield* servers.list, []);
      const first = yield* Fixtures.server({ name: "z" });
      const second = yield* Fixtures.server({ name: "a", createdAt: Fixtures.at(-5) });
      const third = yield* Fixtures.server({ name: "m", status: "disabled" });
      yield* transact(servers.update({ ...first, updatedAt: Fixtures.at(50) }));
      assert.deepStrictEqual(ids(yield* servers.list), ids([first, second, third]));
      assert.deepStrictEqual((yield* servers.list).slice(1), [second, third]);
      yield* transact(servers.remove(second.id));
      assert.deepStrictEqual(ids(yield* servers.list), ids([first, third]));
    }),
  );
};

export const removal = (it: It<Storage>): void => {
  it.effect(
    "remove also removes secrets, tools and access, and leaves calls and other servers",
    () =>
      Effect.gen(function* () {
        const servers = yield* Servers;
        const agents = yield* AgentStore.AgentStore;
        const calls = yield* ToolCallStore.ToolCallStore;
        const agentId = yield* Fixtures.id("agent");
        yield* transact(agents.register(agentId, Fixtures.at(0)));
        const granted = Fixtures.accessRow(agentId, { tools: ["a"] });
        const fill = Effect.fnUntraced(function* (serverId: string) {
          yield* transact(servers.putSecrets([Fixtures.secretRow(serverId, "KEY")]));
          yield* transact(servers.putTools(serverId, [Fixtures.toolRow("a", 0)]));
          yield* transact(servers.putAccess(serverId, [granted]));
          yield* transact(calls.append([yield* Fixtures.toolCallRow({ serverId })]));
        });
        const gone = yield* Fixtures.server();
        const stays = yield* Fixtures.server();
        yield* fill(gone.id);
        yield* fill(stays.id);

        yield* transact(servers.remove(gone.id));
        yield* transact(servers.remove("mcp_unknown"));
        assert.deepStrictEqual(yield* servers.get(gone.id), Option.none());
        assert.deepStrictEqual(yield* servers.secrets(gone.id), []);
        assert.deepStrictEqual(yield* servers.tools(gone.id), []);
        assert.deepStrictEqual(yield* servers.access(gone.id), [
          Fixtures.accessRow(agentId, { granted: false }),
        ]);
        assert.deepStrictEqual(yield* servers.offer(gone.name, agentId), Option.none());
        assert.deepStrictEqual(yield* servers.grants(agentId), [
          { server: stays, permission: { ...AccessEntry.everything, tools: ["a"] } },
        ]);
        assert.lengthOf(yield* calls.list({ serverId: gone.id }, everything), 1);

        assert.deepStrictEqual(yield* servers.get(stays.id), Option.some(stays));
        assert.lengthOf(yield* servers.secrets(stays.id), 1);
        assert.lengthOf(yield* servers.tools(stays.id), 1);
        assert.deepStrictEqual(yield* servers.access(stays.id), [granted]);
      }),
  );
};
