import { assert, describe, it } from "@effect/vitest";
import {
  type EffectSlot,
  EffectStore,
  MasterKeys,
  McpConnector,
  McpServerStore,
  Rotation,
  Scrubber,
  SecretBox,
  Transactor,
} from "@quartermaster/core";
import { Callers, Fixtures, SeededRandom, TestCore } from "@quartermaster/testing";
import { Effect, Layer, Logger, Redacted } from "effect";
import { Aead, Digest } from "effect/crypto";
import { TestClock } from "effect/testing";
import { admin, check, secret, world } from "../support/McpWorld.ts";
import * as TestStorage from "../support/Storage.ts";

const boxWith = (...bytes: [number, ...number[]]) =>
  SecretBox.SecretBox.layer.pipe(
    Layer.provide(
      MasterKeys.MasterKeys.layer([
        TestCore.masterKey(bytes[0]),
        ...bytes.slice(1).map(TestCore.masterKey),
      ]),
    ),
    Layer.provide(Layer.mergeAll(Aead.layerWebCrypto, Digest.layerWebCrypto)),
    Layer.provide(SeededRandom.layer),
  );

const box = <A, E>(
  bytes: [number, ...number[]],
  f: (service: SecretBox.SecretBox["Service"]) => Effect.Effect<A, E>,
) => Effect.provide(SecretBox.SecretBox.use(f), boxWith(...bytes), { local: true });

const owner = { serverId: "mcp_1", name: "KEY" };

const awkward: ReadonlyArray<readonly [string, string]> = [
  ["nothing", ""],
  ["a letter", "x"],
  ["white space", " padded "],
  ["a byte order mark", "\ufeffbom"],
  ["other scripts", "👩‍🚀 日本語"],
  ["what looks like a pattern", "%s ${KEY} \\"],
  ["a long text", "x".repeat(65_536)],
];

describe("SecretBox", () => {
  it.effect(
    "[mcp.secrets.often] values of calls are sealed under the newest key of the last second, which is read once",
    () => {
      let keys: MasterKeys.KeyBytes = [TestCore.masterKey(1)];
      let reads = 0;
      const read = Effect.sync(() => {
        reads += 1;
        return keys;
      });
      const layer = SecretBox.SecretBox.layer.pipe(
        Layer.provide(MasterKeys.MasterKeys.layerWith(keys, read)),
        Layer.provide(Layer.mergeAll(Aead.layerWebCrypto, Digest.layerWebCrypto)),
        Layer.provide(SeededRandom.layer),
      );
      return Effect.gen(function* () {
        const { newestKeyId, seal, sealOften } = yield* SecretBox.SecretBox;
        const often = Effect.map(sealOften(owner, Redacted.make(secret)), ({ keyId }) => keyId);
        const first = yield* often;
        assert.strictEqual(yield* often, first);
        assert.strictEqual(reads, 1);
        keys = [TestCore.masterKey(2), ...keys];
        assert.strictEqual(yield* often, first);
        const second = yield* newestKeyId;
        assert.notStrictEqual(second, first);
        assert.strictEqual((yield* seal(owner, Redacted.make(secret))).keyId, second);
        yield* TestClock.adjust("1 second");
        assert.strictEqual(yield* often, second);
      }).pipe(Effect.provide(layer));
    },
  );

  it.effect.each(awkward)("[mcp.secrets.box] %s comes back", ([, text]) =>
    Effect.gen(function* () {
      const value = yield* box([1], (service) =>
        Effect.flatMap(service.seal(owner, Redacted.make(text)), (sealed) =>
          service.open(owner, sealed),
        ),
      );
      assert.strictEqual(Redacted.value(value), text);
    }),
  );

  it.effect(
    "[mcp.secrets.sealed] each value has a fresh nonce and opens only for its owner and key",
    () =>
      Effect.gen(function* () {
        const [one, two] = yield* box([1], (service) =>
          Effect.all([
            service.seal(owner, Redacted.make(secret)),
            service.seal(owner, Redacted.make(secret)),
          ]),
        );
        assert.notStrictEqual(one.nonce, two.nonce);
        assert.notStrictEqual(one.sealed, two.sealed);
        const opens = (
          bytes: [number, ...number[]],
          who: SecretBox.Owner,
          sealed: Parameters<SecretBox.SecretBox["Service"]["open"]>[1],
        ) =>
          Effect.map(
            Effect.result(box(bytes, (service) => service.open(who, sealed))),
            (r) => r._tag,
          );
        assert.strictEqual(yield* opens([1], owner, one), "Success");
        assert.strictEqual(yield* opens([2, 1], owner, one), "Success");
        assert.strictEqual(yield* opens([2], owner, one), "Failure");
        assert.strictEqual(yield* opens([1], { ...owner, name: "OTHER" }, one), "Failure");
        assert.strictEqual(yield* opens([1], { ...owner, serverId: "mcp_2" }, one), "Failure");
        assert.strictEqual(yield* opens([1], owner, { ...one, nonce: two.nonce }), "Failure");
        assert.strictEqual(yield* opens([1], owner, { ...one, keyId: "00000000" }), "Failure");
        assert.strictEqual(yield* opens([1], owner, { ...one, sealed: "%" }), "Failure");
      }),
  );
});

const scrubber = (values: Record<string, string>, hidden = Object.keys(values)) =>
  Scrubber.make(
    new Map(Object.entries(values).map(([name, value]) => [name, Redacted.make(value)])),
    new Set(hidden),
  );

describe("Scrubber", () => {
  it("[mcp.secrets.scrub] only values of secret variables with 6 characters or more are replaced", () => {
    const scrub = scrubber({ A: "abcdef", B: "abcde", C: "public" }, ["A", "B"]);
    assert.strictEqual(
      scrub.text("xabcdefabcdef abcde public"),
      "x[secret A][secret A] abcde public",
    );
  });

  it("[mcp.secrets.scrub-overlap] the longer value is replaced first, and a replacement is not searched again", () => {
    const scrub = scrubber({ SHORT: "secret", LONG: "secret-and-more" });
    assert.strictEqual(scrub.text("secret-and-more secret"), "[secret LONG] [secret SHORT]");
  });

  it("[mcp.secrets.scrub-nested] secrets are removed from JSON in JSON, which stays valid JSON, at any depth", () => {
    const values = [
      'abcdefgh"rest',
      "abcdefgh\\rest",
      'abcdefgh\\"\\\\rest\\',
      '"\\abcdefgh',
      "abcdefgh\nrest\u0001",
      "abcdefgh\\",
    ];
    for (const value of values) {
      const scrub = scrubber({ KEY: value });
      const nested = (inner: string, depth: number): string =>
        depth === 0 ? inner : JSON.stringify({ v: nested(inner, depth - 1) });
      const innermost = (text: string, depth: number): string =>
        depth === 0 ? text : innermost(JSON.parse(text).v, depth - 1);
      for (let depth = 0; depth < 7; depth++) {
        const found = innermost(scrub.text(nested(value, depth)), depth);
        if (depth < 4 || !value.startsWith('"')) assert.match(found, /^\[secret KEY\]\\*$/);
        // If another text starts like the secret, the service also masks their common prefix.
        for (const other of [`${value.slice(0, 9)}-other`, value.slice(0, 9)]) {
          assert.isString(innermost(scrub.text(nested(other, depth)), depth));
        }
      }
    }
  });

  it("[mcp.secrets.scrub-forms] percent-encoded and JSON forms of a value are also replaced", () => {
    const scrub = scrubber({ KEY: 'a"b\\c d/€+' });
    for (const form of ['a"b\\c d/€+', encodeURIComponent('a"b\\c d/€+'), 'a\\"b\\\\c d/€+']) {
      assert.strictEqual(scrub.text(`<${form}>`), "<[secret KEY]>");
    }
  });

  it("[mcp.secrets.scrub-encoded] the base64 and hex forms of a value are also replaced", () => {
    const value = "s3cr3t/välue+1";
    const scrub = scrubber({ KEY: value });
    const bytes = Buffer.from(value);
    const hex = bytes.toString("hex");
    for (const form of [
      bytes.toString("base64").replace(/=+$/, ""),
      bytes.toString("base64url"),
      hex,
      hex.toUpperCase(),
    ]) {
      assert.strictEqual(scrub.text(`<${form}>`), "<[secret KEY]>");
    }
  });

  it("[mcp.secrets.scrub-prefix] prefixes of 8 or more characters are replaced", () => {
    const scrub = scrubber({ KEY: "s3cr3t-value-1", URL: "postgres://admin:s3cret@db/x" });
    assert.strictEqual(
      scrub.text("s3cr3t-v s3cr3t-val; s3cr3t-"),
      "[secret KEY] [secret KEY]; s3cr3t-",
    );
    assert.strictEqual(scrub.text("a postgres:// URL"), "a postgres:// URL");
    assert.strictEqual(scrub.text("postgres://admin:s3c..."), "[secret URL]...");
  });

  it("[mcp.secrets.scrub-prefix] a prefix that is a word is replaced from 12 characters", () => {
    const scrub = scrubber({ KEY: "filesystemaccesskey", OTHER: "production-1" });
    assert.strictEqual(scrub.text("filesystem_read"), "filesystem_read");
    assert.strictEqual(scrub.text("filesystemaccess"), "[secret KEY]");
    assert.strictEqual(scrub.text("production production-2"), "production [secret OTHER]2");
  });

  it("[mcp.secrets.scrub-json] values are replaced in strings and keys at any depth, nowhere else", () => {
    const scrub = scrubber({ KEY: "$&secret$1" });
    const value = { "x$&secret$1": [{ a: "$&secret$1!", b: 1, c: null, d: true }] };
    assert.deepStrictEqual(scrub.json<unknown>(value), {
      "x[secret KEY]": [{ a: "[secret KEY]!", b: 1, c: null, d: true }],
    });
  });
});

describe("Secrets", () => {
  check(
    "[mcp.secrets.scrubbed] values are replaced in results, errors, progress, details, definitions, events and logs",
    Effect.gen(function* () {
      const logged: Array<string> = [];
      const logger = Logger.make(({ cause, message }) => {
        logged.push(JSON.stringify([message, String(cause)]));
      });
      const shown: Array<unknown> = [];
      yield* Effect.gen(function* () {
        const { id, server } = yield* world.running();
        server.onCall = ({ progress }) =>
          Effect.as(progress({ progress: 1, message: `at ${secret}` }), {
            content: [{ type: "text", text: `key=${secret}` }],
            structuredContent: { [secret]: secret },
          });
        const onProgress = (progress: McpConnector.Progress) =>
          Effect.sync(() => void shown.push(progress));
        const result = yield* world.call("test-notes__add", {}, { onProgress });
        assert.deepStrictEqual(result, {
          content: [{ type: "text", text: "key=[secret NOTES_KEY]" }],
          structuredContent: { "[secret NOTES_KEY]": "[secret NOTES_KEY]" },
        });
        const said = `It said ${secret}`;
        const broken = new McpConnector.ConnectorError({
          reason: "exited",
          message: said,
          sent: true,
        });
        server.onCall = () => Effect.fail(new McpConnector.RpcError({ code: 1, message: said }));
        shown.push(yield* world.call("test-notes__add"));
        server.onCall = () => Effect.fail(broken);
        shown.push(yield* Effect.flip(world.call("test-notes__add")));
        server.tools = [Fixtures.definition("add", { description: said })];
        shown.push(yield* world.verify(id), yield* world.servers((service) => service.tools(id)));
        yield* server.announce;
        yield* world.idle;
        assert.isTrue(yield* Effect.map(world.get(id), ({ toolsChanged }) => toolsChanged));
        shown.push(yield* world.servers((service) => service.tools(id)));
        server.onConnect = Effect.fail(broken);
        shown.push(yield* world.verify(id));
        yield* world.verify(id);
        server.onConnect = Effect.void;
        yield* world.verify(id, true);
        assert.deepStrictEqual(yield* world.states(id), ["add: accepted"]);
        server.onConnect = Effect.fail(broken);
        yield* server.crash(said);
        for (const millis of [500, 1_000, 2_000, 4_000]) {
          const before = server.targets.length;
          yield* world.pass(millis);
          yield* world.idle;
          assert.isAbove(server.targets.length, before);
        }
        yield* world.idle;
        assert.isTrue(yield* Effect.map(world.get(id), ({ status }) => status === "error"));
        shown.push(yield* world.get(id), yield* world.events, yield* world.records());
      }).pipe(Effect.provide(Logger.layer([logger])));
      const text = JSON.stringify([shown, logged]);
      assert.notInclude(text, secret);
      assert.include(text, "It said [secret NOTES_KEY]");
      assert.include(JSON.stringify(logged), "An MCP server failed");
    }),
  );

  check(
    "[mcp.secrets.stored] all stored values are sealed, also values of variables that are not secret",
    Effect.gen(function* () {
      const store = yield* McpServerStore.McpServerStore;
      const { id } = yield* world.install("test-notes", {
        NOTES_KEY: secret,
        NOTES_PROJECT: "project-x",
      });
      const rows = yield* store.secrets(id);
      assert.deepStrictEqual(
        rows.map(({ name }) => name),
        ["NOTES_KEY", "NOTES_PROJECT"],
      );
      const kept = JSON.stringify([rows, yield* store.list, yield* world.events]);
      assert.notInclude(kept, secret);
      assert.notInclude(kept, "project-x");
    }),
  );
});

/** A node on this storage with these master keys. */
const node = (storage: Parameters<typeof TestCore.layerMcpWith>[0]["storage"]) => {
  let seed = 0;
  return (...bytes: [number, ...number[]]) => {
    const keys = [TestCore.masterKey(bytes[0]), ...bytes.slice(1).map(TestCore.masterKey)] as const;
    const layer = TestCore.layerMcpWith({ storage, keys, seed: ++seed });
    return <A, E>(effect: Effect.Effect<A, E, TestCore.McpServices>) =>
      Effect.provide(effect, layer, { local: true });
  };
};

const rotate = Rotation.Rotation.use((rotation) => rotation.rotate);
const keyIds = Effect.gen(function* () {
  const store = yield* McpServerStore.McpServerStore;
  const rows = yield* Effect.forEach(yield* store.list, ({ id }) => store.secrets(id));
  return new Set(rows.flat().map(({ keyId }) => keyId)).size;
});
const asAdmin = Callers.as(admin);

describe("Rotation", () => {
  it.effect("[mcp.secrets.rotate] A rotation seals every value under the new key", () =>
    Effect.gen(function* () {
      const storage = Layer.succeedContext(yield* Layer.build(TestStorage.storage));
      const on = node(storage);
      const { id } = yield* on(1)(asAdmin(world.notes()));
      assert.deepStrictEqual(yield* on(2, 1)(rotate), { rotated: 1, failed: [] });
      assert.deepStrictEqual(yield* on(2, 1)(rotate), { rotated: 0, failed: [] });
      const verified = Effect.gen(function* () {
        const { status } = yield* world.verify(id);
        const target = (yield* world.scripted("notes")).targets.at(-1);
        const key = target?.transport === "stdio" ? target.env["NOTES_KEY"] : undefined;
        return [status, key && Redacted.value(key)];
      });
      assert.deepStrictEqual(yield* on(2)(asAdmin(verified)), ["ok", secret]);
    }),
  );

  it.effect(
    "[mcp.secrets.rotate-results] A rotation seals the results of effects under the new key",
    () =>
      Effect.gen(function* () {
        const storage = Layer.succeedContext(yield* Layer.build(TestStorage.storage));
        const on = node(storage);
        const of = { serverId: "srv_1", name: "effect:call_1" };
        const sealed = yield* box([1], (service) => service.seal(of, Redacted.make("receipt")));
        const slot: EffectSlot.EffectSlot = {
          ...(yield* Effect.provide(Fixtures.effectSlot(), SeededRandom.layer)),
          callId: "call_1",
          state: "done",
          result: JSON.stringify(sealed),
        };
        const inserted = Effect.flatMap(EffectStore.EffectStore, ({ insert }) =>
          Transactor.Transactor.use(({ transact }) => transact(insert(slot))),
        );
        yield* on(1)(inserted);
        const olderKeyIds = Rotation.Rotation.use((rotation) => rotation.olderKeyIds);
        assert.deepStrictEqual(yield* on(2, 1)(olderKeyIds), new Set([sealed.keyId]));
        assert.deepStrictEqual(yield* on(2, 1)(rotate), { rotated: 1, failed: [] });
        const [rotated] = yield* on(2)(
          EffectStore.EffectStore.use((store) => store.list(slot.issueId, 1)),
        );
        const opened = yield* box([2], (service) =>
          service.open(of, JSON.parse(rotated?.result ?? "")),
        );
        assert.strictEqual(Redacted.value(opened), "receipt");
      }),
  );

  it.effect(
    "[mcp.secrets.rotate-interrupted] A rotation continues where an interrupted one stopped",
    () =>
      Effect.gen(function* () {
        const storage = Layer.succeedContext(yield* Layer.build(TestStorage.storage));
        const on = node(storage);
        yield* on(1)(asAdmin(Effect.repeat(world.notes(), { times: 119 })));
        // Stops after the first transaction, like a killed process.
        const cut = Effect.gen(function* () {
          let transactions = 0;
          const transactor = yield* Transactor.Transactor;
          const stopping = Transactor.Transactor.of({
            ...transactor,
            transact: (change) =>
              ++transactions > 1 ? Effect.interrupt : transactor.transact(change),
          });
          return yield* Effect.provide(
            Effect.exit(rotate),
            Rotation.Rotation.layerNoDeps.pipe(
              Layer.provide(Layer.succeed(Transactor.Transactor, stopping)),
              Layer.provide(boxWith(2, 1)),
            ),
            { local: true },
          );
        });
        yield* on(2, 1)(cut);
        const half = yield* on(2, 1)(keyIds);
        assert.strictEqual(half, 2);
        assert.deepStrictEqual(yield* on(2, 1)(rotate), { rotated: 20, failed: [] });
        assert.strictEqual(yield* on(2)(keyIds), 1);
      }),
  );

  it.effect(
    "[mcp.secrets.wrong-key] with a wrong key core starts, reports it and loses nothing",
    () =>
      Effect.gen(function* () {
        const storage = Layer.succeedContext(yield* Layer.build(TestStorage.storage));
        const on = node(storage);
        const { id } = yield* on(1)(asAdmin(world.notes()));
        const wrong = yield* on(3)(
          asAdmin(
            Effect.all({
              list: world.servers((service) => service.list),
              rotated: rotate,
              verified: world.verify(id),
            }),
          ),
        );
        assert.deepStrictEqual(wrong.rotated, { rotated: 0, failed: [id] });
        assert.lengthOf(wrong.list, 1);
        assert.strictEqual(wrong.verified.status, "error");
        assert.match(wrong.verified.details, /NOTES_KEY cannot be decrypted/);
        assert.strictEqual((yield* on(1)(asAdmin(world.verify(id)))).status, "ok");
        const replaced = world.servers((service) =>
          service.update(id, { envValues: { NOTES_KEY: "another-value" } }),
        );
        yield* on(3)(asAdmin(replaced));
        assert.strictEqual((yield* on(3)(asAdmin(world.verify(id)))).status, "ok");
      }),
  );
});
