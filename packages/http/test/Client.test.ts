import { Effect, Redacted } from "effect";
import { HttpApi, OpenApi } from "effect/http-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api, Client } from "../src/api/index.ts";
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
  it("[client.layer] the typed client calls every kind of route", async () => {
    const program = Effect.gen(function* () {
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
      return { made, listed, missing, attached };
    });
    const { attached, listed, made, missing } = await Effect.runPromise(
      Effect.provide(program, Client.Client.layer(options())),
    );
    expect(listed).toEqual([made]);
    expect(missing).toBe("issue iss_none");
    expect(attached.size).toBe(5);
  });

  it("[client.promise] the client of promises needs no layers", async () => {
    const client = await Effect.runPromise(Client.fromOptions(options()));
    const session = await Effect.runPromise(client.session.get());
    expect(session.principal.role).toBe("Editor");
    await expect(Effect.runPromise(client.keys.list({ query: {} }))).rejects.toMatchObject({
      _tag: "Forbidden",
      requiredRole: "Admin",
    });
  });
});

describe("contract", () => {
  it("[contract.words] every endpoint has a summary, a description and typed errors", () => {
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, errors, mergedAnnotations }) => {
        const name = `${endpoint.method} ${endpoint.path}`;
        expect(mergedAnnotations.mapUnsafe.has(OpenApi.Summary.key), `${name}`).toBe(true);
        expect(mergedAnnotations.mapUnsafe.has(OpenApi.Description.key), `${name}`).toBe(true);
        expect(errors.size > 0 || !endpoint.path.startsWith("/api/"), `${name}`).toBe(true);
      },
    });
  });

  it("[contract.openapi] the document is OpenAPI 3.1 with both security schemes", () => {
    const document = OpenApi.fromApi(Api);
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.components.securitySchemes)).toEqual(["bearer", "session"]);
    expect(document.paths["/api/projects/issues/{issueId}"]?.get?.security).toEqual([
      { bearer: [] },
      { session: [] },
    ]);
    expect(document.paths["/healthz"]?.get?.security).toEqual([]);
  });
});
