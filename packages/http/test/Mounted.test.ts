import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { assert, it, onTestFinished } from "@effect/vitest";
import { Core, Keys, MasterKeys, Principal } from "@quartermaster/core";
import { MemoryStorage, TestCatalog, TestCore } from "@quartermaster/testing";
import { Effect, Layer, Redacted } from "effect";
import { HttpRouter } from "effect/http";
import * as Routes from "../src/Routes.ts";
import { assertFields } from "./support/Assert.ts";
import { system } from "./support/TestServer.ts";

/** The routes in a host without a Node.js server: a request is the platform's `Request`. */
const mounted = async () => {
  let key = "";
  const makeKey = Layer.effectDiscard(
    Keys.Keys.use((keys) => keys.create({ name: "me", role: "Owner" })).pipe(
      Effect.provideService(Principal.CurrentPrincipal, Principal.system),
      Effect.tap((made) => Effect.sync(() => (key = made.key))),
    ),
  );
  const core = Core.layerMcp.pipe(
    Layer.provide(MemoryStorage.layer),
    Layer.provideMerge(Layer.merge(TestCore.catalog(TestCatalog.entries), TestCore.scripted)),
    Layer.provide(MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(32))])),
    Layer.provideMerge(NodeCrypto.layer),
  );
  const { dispose, handler } = HttpRouter.toWebHandler(
    Layer.merge(Routes.layer.pipe(Layer.provide(system)), makeKey).pipe(
      Layer.provide(core),
      Layer.provide(NodeHttpServer.layerHttpServices),
    ),
    { routerConfig: Routes.routerConfig, disableLogger: true },
  );
  onTestFinished(dispose);
  await handler(new Request("http://localhost/healthz"));
  return async (method: string, path: string, body?: string, contentType = "application/json") => {
    const answer = await handler(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(contentType === "" ? {} : { "content-type": contentType }),
        },
        ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
      }),
    );
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
  };
};

it("[body.mounted] a body without a length is read", async () => {
  const call = await mounted();
  const made = await call("POST", "/api/projects/p/issues", '{"title":"first"}');
  assertFields(made, { status: 201, body: { title: "first", status: "Open" } });
  const path = `/api/projects/issues/${made.body.id}`;
  const changed = await call("PUT", path, '{"title":"changed"}');
  assertFields(changed, { status: 200, body: { title: "changed" } });
  assert.strictEqual(
    (await call("POST", "/api/projects/p/issues", "{}", "text/plain")).status,
    415,
  );
  assert.strictEqual((await call("POST", "/api/projects/p/issues", "{}", "")).status, 415);
  const beat = await call("POST", "/api/agents/a/heartbeat", undefined, "");
  assertFields(beat, { status: 200, body: { started: [] } });
  const large = JSON.stringify({ title: "t", description: "x".repeat(2 * 1024 * 1024) });
  assert.strictEqual((await call("POST", "/api/projects/p/issues", large)).status, 413);
});
