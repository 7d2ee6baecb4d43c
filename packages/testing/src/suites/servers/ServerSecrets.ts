import { assert } from "@effect/vitest";
import { McpServerStore } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import type { It } from "../../Suite.ts";

const { McpServerStore: Servers } = McpServerStore;

export const tests = (it: It<Storage>): void => {
  it.effect("putSecrets stores every field, and secrets returns the server's secrets by name", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const server = yield* Fixtures.server();
      const other = yield* Fixtures.server();
      const key = Fixtures.secretRow(server.id, "KEY", { keyId: "a", nonce: "n1", sealed: "s1" });
      const token = Fixtures.secretRow(server.id, "TOKEN", { keyId: "b", nonce: "n", sealed: "s" });
      const oauth = Fixtures.secretRow(server.id, "oauth");
      const others = Fixtures.secretRow(other.id, "KEY");
      assert.deepStrictEqual(yield* servers.secrets(server.id), []);
      yield* transact(servers.putSecrets([]));
      yield* transact(servers.putSecrets([oauth, others, token, key]));
      assert.deepStrictEqual(yield* servers.secrets(server.id), [key, token, oauth]);
      assert.deepStrictEqual(yield* servers.secrets(other.id), [others]);
      assert.deepStrictEqual(yield* servers.secrets("mcp_unknown"), []);
    }),
  );

  it.effect("putSecrets replaces secrets of the same names and leaves the others", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const server = yield* Fixtures.server();
      const first = Fixtures.secretRow(server.id, "A", { keyId: "old" });
      const second = Fixtures.secretRow(server.id, "B", { keyId: "old" });
      yield* transact(servers.putSecrets([first, second]));
      const again = { ...first, keyId: "new", nonce: "n2", sealed: "s2" };
      const third = Fixtures.secretRow(server.id, "C");
      yield* transact(servers.putSecrets([third, again]));
      assert.deepStrictEqual(yield* servers.secrets(server.id), [again, second, third]);
    }),
  );

  it.effect("removeSecrets removes only the given names of the given server", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const server = yield* Fixtures.server();
      const other = yield* Fixtures.server();
      const rows = (id: string) => ["A", "B", "C"].map((name) => Fixtures.secretRow(id, name));
      yield* transact(servers.putSecrets([...rows(server.id), ...rows(other.id)]));
      yield* transact(servers.removeSecrets(server.id, []));
      yield* transact(servers.removeSecrets(server.id, ["A", "C", "unknown"]));
      assert.deepStrictEqual(yield* servers.secrets(server.id), [
        Fixtures.secretRow(server.id, "B"),
      ]);
      assert.deepStrictEqual(yield* servers.secrets(other.id), rows(other.id));
    }),
  );
};

export const rotation = (it: It<Storage>): void => {
  it.effect("secretsNotUnder returns the other secrets by server and name, in pages", () =>
    Effect.gen(function* () {
      const servers = yield* Servers;
      const a = yield* Fixtures.server();
      const b = yield* Fixtures.server();
      const old = (id: string, name: string) => Fixtures.secretRow(id, name, { keyId: "old" });
      yield* transact(
        servers.putSecrets([
          old(b.id, "A"),
          old(a.id, "Z"),
          Fixtures.secretRow(a.id, "M", { keyId: "new" }),
          Fixtures.secretRow(b.id, "B", { keyId: "older" }),
          old(a.id, "A"),
        ]),
      );
      const page = (after: { serverId: string; name: string } | null, limit: number) =>
        Effect.map(servers.secretsNotUnder("new", after, limit), (rows) =>
          rows.map(({ serverId, name }) => [serverId, name]),
        );
      const expected = [
        [a.id, "A"],
        [a.id, "Z"],
        [b.id, "A"],
        [b.id, "B"],
      ];
      assert.deepStrictEqual(yield* page(null, 500), expected);
      assert.deepStrictEqual(yield* page(null, 2), expected.slice(0, 2));
      assert.deepStrictEqual(yield* page({ serverId: a.id, name: "Z" }, 500), expected.slice(2));
      assert.deepStrictEqual(yield* page({ serverId: a.id, name: "B" }, 1), [[a.id, "Z"]]);
      assert.deepStrictEqual(yield* page({ serverId: b.id, name: "B" }, 5), []);
      const [first] = yield* servers.secretsNotUnder("new", null, 1);
      assert.deepStrictEqual(first, old(a.id, "A"));
      assert.lengthOf(yield* servers.secretsNotUnder("other", null, 500), 5);
    }),
  );
};
