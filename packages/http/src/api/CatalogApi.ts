import { CatalogEntry, Id, ProcessSpawner } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management, owner } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { idempotencyKey } from "./Query.ts";

const params = {
  entryId: Id.ServiceId.annotateKey({ description: "The catalog entry's id." }),
};

const list = HttpApiEndpoint.get("list", "/api/mcp/catalog", {
  query: {
    category: Schema.optionalKey(CatalogEntry.Category).annotateKey({
      description: "Only entries of this category.",
    }),
  },
  success: Schema.Array(CatalogEntry.CatalogEntrySummary),
}).annotateMerge(
  about({
    summary: "List the catalog",
    description:
      "Returns every entry, or the entries of one category, in the order of the catalog files, followed by the entries that Owners created, oldest first.",
    access: management,
  }),
);

const get = HttpApiEndpoint.get("get", "/api/mcp/catalog/:entryId", {
  params,
  success: CatalogEntry.CatalogEntry,
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "Get a catalog entry",
    description: "Returns the entry with its manifest and its variables.",
    access: management,
  }),
);

const written = CatalogEntry.WrittenEntry.pipe(
  Schema.annotateEncoded({
    examples: [
      {
        id: "tickets",
        name: "Tickets",
        description: "Reads and writes our own tickets.",
        category: "productivity",
        transport: "http",
        runtime: "none",
        installInstructions: "Create a token in the settings of Tickets, and set TICKETS_TOKEN.",
        manifest: {
          url: "https://tickets.example.com/mcp",
          headers: { Authorization: "Bearer ${TICKETS_TOKEN}" },
        },
        envVars: [
          {
            name: "TICKETS_TOKEN",
            description: "Token of a Tickets user",
            required: true,
            secret: true,
          },
        ],
      },
    ],
  }),
);

const create = HttpApiEndpoint.post("create", "/api/mcp/catalog", {
  headers: idempotencyKey,
  payload: written,
  success: CatalogEntry.CatalogEntry.pipe(HttpApiSchema.status(201)),
  error: [Problem.HttpsRequired, Problem.NotFound, Problem.NameTaken, Problem.IdempotencyMismatch],
}).annotateMerge(
  about({
    summary: "Create a catalog entry",
    description:
      "The body has the form of a single catalog entry. The new entry is never `verified`, and its `source` is `own`. Requires HTTPS.",
    access: owner,
    idempotencyKey: "honoured",
    carriesSecrets: true,
  }),
);

const put = HttpApiEndpoint.put("put", "/api/mcp/catalog/:entryId", {
  params,
  payload: written,
  success: CatalogEntry.CatalogEntry,
  error: [Problem.HttpsRequired, Problem.NotFound, Problem.InUse],
}).annotateMerge(
  about({
    summary: "Replace a catalog entry",
    description:
      "Replaces an entry that an Owner created. Installed servers use their copy until an update with `version: catalog`. Requires HTTPS.",
    access: owner,
    carriesSecrets: true,
  }),
);

const remove = HttpApiEndpoint.delete("delete", "/api/mcp/catalog/:entryId", {
  params,
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.InUse],
}).annotateMerge(
  about({
    summary: "Delete a catalog entry",
    description:
      "Deletes an entry that an Owner created. Responds with 409 if a server is installed from it.",
    access: owner,
  }),
);

const runtime = HttpApiEndpoint.get("runtime", "/api/mcp/runtime", {
  success: ProcessSpawner.HostReport,
}).annotateMerge(
  about({
    summary: "Get the runtimes and sandboxes of this host",
    description:
      "Returns which of Node.js, Python and pipx the host has, and the sandboxes that it can use. Check this before you install a server.",
    access: management,
  }),
);

/** The curated servers that can be installed, and what the host can run. */
export class CatalogApi extends HttpApiGroup.make("catalog")
  .add(list, get, create, put, remove, runtime)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Catalog",
      description: "MCP servers that can be installed, and the runtimes of this host.",
    }),
  ) {}
