import { PgClient } from "@effect/sql-pg";
import { assert, it, onTestFinished, vi } from "@effect/vitest";
import { RunStore, Transactor } from "@quartermaster/core";
import { Quartermaster, type SharedOptions } from "@quartermaster/embedded";
import { Clock, Effect, Exit, Layer, Scope } from "effect";
import { temporaryFolder } from "../../server/test/Quartermaster.ts";
import { Storage } from "../src/index.ts";
import { secretKey as masterKey } from "./support/Node.ts";
import { newSchema, options, url, withServer } from "./support/TestStorage.ts";
import { valueCatalog } from "./support/ValueServer.ts";

vi.setConfig({ testTimeout: 60_000 });

const schemaOfTest = async (): Promise<string> => {
  const scope = Scope.makeUnsafe();
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)));
  return Effect.runPromise(Effect.provideService(newSchema, Scope.Scope, scope));
};

const open = async (
  storage: SharedOptions["storage"],
  catalogFiles: ReadonlyArray<string> = [],
) => {
  const dataDir = await temporaryFolder();
  const host = await Quartermaster.open({
    dataDir,
    storage,
    masterKey,
    catalogFiles,
    sandbox: "direct",
  });
  onTestFinished(() => host.close());
  return host;
};

withServer(() => {
  it("[embedded.shared] two programs share a database: issues, events, housekeeping and values", async () => {
    const schema = await schemaOfTest();
    const catalog = await valueCatalog();
    const one = await open(Storage.layerWithClock(options(schema)), [catalog]);
    assert.notStrictEqual(await one.runtime.runPromise(Clock.Clock), Effect.runSync(Clock.Clock));
    const events = (await one.events.subscribe())[Symbol.asyncIterator]();
    const { id: lostId } = await one.issues.create("shop", {
      title: "Lost",
      assignedAgentId: "silent",
    });
    const { started } = await one.runs.heartbeat("silent");
    await one.runtime.runPromise(
      Effect.gen(function* () {
        const store = yield* RunStore.RunStore;
        const { transact } = yield* Transactor.Transactor;
        const run = yield* Effect.flatMap(store.get(started[0]?.runId ?? ""), Effect.fromOption);
        yield* transact(store.update([{ ...run, leaseExpiresAt: "2026-01-01T00:00:00.000Z" }]));
      }),
    );
    const until = async (kind: string) => {
      for (;;) {
        const { done, value } = await events.next();
        assert.isFalse(done);
        if (value.kind === kind) return value.subjectId;
      }
    };

    // Its housekeeping ends the run of the other program.
    const other = await open(Storage.layerWithClock(options(schema)), [catalog]);
    assert.strictEqual(await until("issue.leaseExpired"), lostId);

    const { id } = await one.issues.create("shop", { title: "Hello", assignedAgentId: "agent" });
    const agent = await other.agent("agent");
    for await (const task of agent.tasks()) {
      assert.strictEqual(task.issue.id, id);
      await task.finish({ outcome: "resolved" });
      break;
    }
    assert.strictEqual(await until("issue.pickedUp"), id);
    assert.strictEqual((await one.issues.get(id)).status, "Resolved");

    const server = await one.servers.install({
      catalogId: "value",
      envValues: { VALUE: "sealed by one" },
    });
    const { details, status } = await other.servers.verify(server.id);
    assert.strictEqual(status, "ok", details);
  });

  it("[embedded.shared] a program shares the database of its own client, in a schema of its own", async () => {
    const schema = await schemaOfTest();
    const { hostname, pathname, port, username } = new URL(url);
    const client = PgClient.layer({
      host: hostname,
      port: Number(port),
      database: pathname.slice(1),
      username,
      maxConnections: 1,
    });
    const host = await open(Layer.provide(Storage.layerOfClient({ schema }), client));
    await host.issues.create("shop", { title: "Say hello" });
    const rows = await Effect.runPromise(
      Effect.flatMap(PgClient.PgClient, (sql) => sql`SELECT title FROM ${sql(schema)}.issues`).pipe(
        Effect.provide(client),
      ),
    );
    assert.deepStrictEqual(rows, [{ title: "Say hello" }]);
    const { items } = await (
      await open(Storage.layerWithClock(options(schema)))
    ).issues.list("shop");
    assert.lengthOf(items, 1);
  });

  it("[mcp.state.other-node] a program that runs a server with state cannot be reached by others", async () => {
    const schema = await schemaOfTest();
    const catalog = await valueCatalog(undefined, true);
    const [one, other] = await Promise.all(
      [1, 2].map(() => open(Storage.layerWithClock(options(schema)), [catalog])),
    );
    const { id } = await one!.servers.install({ catalogId: "value", envValues: { VALUE: "v" } });
    await one!.servers.verify(id);
    await one!.servers.enable(id);
    await one!.servers.putAccess(id, { entries: [{ agentId: "bot", granted: true }] });
    const call = (host: typeof one) => host!.tools.call("bot", { name: "value__look" });
    assert.deepInclude(await call(one), { content: [{ type: "text", text: "value v" }] });
    const refused: unknown = await call(other).catch((error: unknown) => error);
    assert.deepInclude(refused, { _tag: "ToolUnavailable", reason: "otherNode" });
    await one!.close();
    assert.deepInclude(await call(other), { content: [{ type: "text", text: "value v" }] });
  });

  it("[embedded.shared] a program without the shared master key does not open", async () => {
    const storage = Storage.layerWithClock(options("s"));
    const dataDir = await temporaryFolder();
    const opened = Quartermaster.open({ dataDir, storage, masterKey: "too short" });
    const error: unknown = await opened.catch((cause: unknown) => cause);
    assert.match(String(error), /With storage, masterKey must be 32 bytes in base64/u);
  });
});
