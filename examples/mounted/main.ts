import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
// Quartermaster's routes in your own server, beside a route of that server. The typed client calls
// them and reads three issues, page by page.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Catalog, Core, Housekeeping, Keys, MasterKeys, Principal } from "@quartermaster/core";
import { Routes, SystemHandlers } from "@quartermaster/http";
import { Client } from "@quartermaster/http/api";
import { Mcp } from "@quartermaster/mcp";
import { Storage } from "@quartermaster/storage-sqlite";
import { Console, Effect, FileSystem, Layer, Redacted, Schema } from "effect";
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http";

class Surprise extends Schema.TaggedError<Surprise>()("Surprise", { message: Schema.String }) {}

/** Prints a result, and fails if it is not the expected one. */
const check = Effect.fnUntraced(function* (what: string, actual: unknown, expected: unknown) {
  yield* Console.log(`${what}: ${actual}`);
  if (actual !== expected) {
    return yield* new Surprise({ message: `${what}: ${actual}, expected ${expected}` });
  }
});

/** The services. `provideMerge` also exposes the ports, since the routes require some of them. */
const quartermaster = (dataDir: string) =>
  Core.layerMcp.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Storage.layer({ dataDir }),
        Mcp.layer({ dataDir, prepareSeconds: 300 }),
        Catalog.Catalog.layer,
        // Your program stores the directory and the key.
        MasterKeys.MasterKeys.layer([Redacted.make(new Uint8Array(randomBytes(32)))]),
      ),
    ),
    Layer.provideMerge(NodeCrypto.layer),
  );

/** Every route of the contract, including health and documentation, and a route of this server. */
const routes = Routes.layer.pipe(
  Layer.provide(SystemHandlers.layer),
  Layer.merge(HttpRouter.add("GET", "/hello", HttpServerResponse.text("Hello"))),
);

const server = (dataDir: string) =>
  HttpRouter.serve(routes, { routerConfig: Routes.routerConfig, disableLogger: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
    Layer.provideMerge(quartermaster(dataDir)),
  );

/** The cursor of the next page, from the `Link` header. The last page has no such header. */
const nextCursor = (link: string | undefined) => {
  const [, address] = link?.match(/<([^>]+)>; rel="next"/) ?? [];
  return address && new URL(address, "http://localhost").searchParams.get("cursor");
};

const titlesOf = Effect.fnUntraced(function* (client: Client.Client["Service"], projectId: string) {
  const pages: Array<string> = [];
  let cursor: string | null | undefined;
  do {
    const [issues, response] = yield* client.issues.list({
      params: { projectId },
      query: { limit: 2, order: "asc", ...(cursor ? { cursor } : {}) },
      responseMode: "decoded-and-response",
    });
    pages.push(issues.map(({ title }) => title).join());
    cursor = nextCursor(response.headers["link"]);
  } while (cursor);
  return pages;
});

const program = Effect.gen(function* () {
  // Records expired leases and removes expired rows, every minute.
  const housekeeping = yield* Housekeeping.Housekeeping;
  yield* Effect.forkScoped(housekeeping.run);

  // The program creates the first key. Your program prints it once, or stores it.
  const keys = yield* Keys.Keys;
  const owner = yield* keys
    .create({ name: "owner", role: "Owner" })
    .pipe(Effect.provideService(Principal.CurrentPrincipal, Principal.system));

  const { address } = yield* HttpServer.HttpServer;
  const baseUrl = HttpServer.formatAddress(address);
  const hello = yield* Effect.promise(() => fetch(`${baseUrl}/hello`));
  yield* check("our own route says", yield* Effect.promise(() => hello.text()), "Hello");

  const client = yield* Client.fromOptions({ baseUrl, apiKey: Redacted.make(owner.key) });
  const params = { projectId: "shop" };
  const create = (title: string, blockedByIssueId: string | null) =>
    client.issues.create({ params, headers: {}, payload: { title, blockedByIssueId } });
  const schema = yield* create("Design the schema", null);
  const api = yield* create("Build the API", schema.id);
  yield* create("Write the manual", api.id);
  yield* client.issues.update({
    params: { issueId: schema.id },
    headers: {},
    payload: { status: "Resolved" },
  });
  const freed = yield* client.issues.get({ params: { issueId: api.id } });
  yield* check("the one that waited is", freed.status, "Open");

  const pages = yield* titlesOf(client, params.projectId);
  yield* check("the first page", pages[0], "Design the schema,Build the API");
  yield* check("the second page", pages[1], "Write the manual");
  yield* check("pages", pages.length, 2);
});

Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem;
  const dataDir = yield* fs.makeTempDirectoryScoped({ prefix: "quartermaster-" });
  yield* Effect.provide(program, server(dataDir));
}).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer), NodeRuntime.runMain);
