import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import { Effect, Redacted } from "effect";
import { HttpApi, OpenApi } from "effect/http-api";
import { Api, Client } from "../src/api/index.ts";
import { assertRejects } from "./support/Assert.ts";
import * as World from "./support/World.ts";

let world: World.World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

const options = (key = world.keys.editor.key) => ({
  baseUrl: world.url,
  apiKey: Redacted.make(key),
});

describe("client", () => {
  it.live("[client.layer] the typed client calls every kind of route", () =>
    Effect.gen(function* () {
      const client = yield* Client.Client;
      const made = yield* client.issues.create({
        params: { projectId: "p1" },
        headers: {},
        payload: { title: "Mend the roof" },
      });
      const listed = yield* client.issues.list({
        params: { projectId: "p1" },
        query: { limit: 5, status: "Open" },
      });
      yield* client.issues.close({
        params: { issueId: made.id },
        headers: {},
        query: { force: true },
      });
      const missing = yield* client.issues
        .get({ params: { issueId: "iss_none" } })
        .pipe(
          Effect.catchTag("NotFound", ({ id, resource }) => Effect.succeed(`${resource} ${id}`)),
        );
      const form = new FormData();
      form.append("file", new File(["hello"], "a.txt"));
      const attached = yield* client.attachments.upload({
        params: { issueId: made.id },
        headers: {},
        payload: form,
      });
      const { created: _, warnings: __, ...issue } = made;
      assert.deepStrictEqual(listed, [issue]);
      assert.strictEqual(missing, "issue iss_none");
      assert.strictEqual(attached.size, 5);
    }).pipe(Effect.provide(Client.Client.layer(options()))),
  );

  it("[client.promise] the client of promises needs no layers", async () => {
    const client = await Effect.runPromise(Client.fromOptions(options()));
    const session = await Effect.runPromise(client.session.get());
    assert.strictEqual(session.principal.role, "Editor");
    const refused = Effect.runPromise(client.keys.list({ query: {} }));
    await assertRejects(refused, { _tag: "Forbidden", requiredRole: "Admin" });
  });
});

describe("contract", () => {
  it("[contract.words] every endpoint has a summary, a description and typed errors", () => {
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, errors, mergedAnnotations }) => {
        const name = `${endpoint.method} ${endpoint.path}`;
        assert.isTrue(mergedAnnotations.mapUnsafe.has(OpenApi.Summary.key), name);
        assert.isTrue(mergedAnnotations.mapUnsafe.has(OpenApi.Description.key), name);
        assert.isTrue(errors.size > 0 || !endpoint.path.startsWith("/api/"), name);
      },
    });
  });

  it("[contract.openapi] the document is OpenAPI 3.1 with both security schemes", () => {
    const document = OpenApi.fromApi(Api);
    assert.strictEqual(document.openapi, "3.1.0");
    assert.deepStrictEqual(Object.keys(document.components.securitySchemes), ["bearer", "session"]);
    assert.deepStrictEqual(document.paths["/api/projects/issues/{issueId}"]?.get?.security, [
      { bearer: [] },
      { session: [] },
    ]);
    assert.deepStrictEqual(document.paths["/healthz"]?.get?.security, []);
  });
});
