import { ApiKey, Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, management, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";
import { paging } from "./Query.ts";

const list = HttpApiEndpoint.get("list", "/api/keys", {
  query: paging,
  success: Schema.Array(ApiKey.ApiKey),
}).annotateMerge(
  about({
    summary: "List API keys",
    description:
      "Returns keys without their secrets, newest first by default; paged. Lists only keys whose role is not above the caller's.",
    access: management,
  }),
);

const names = HttpApiEndpoint.get("names", "/api/session/names", {
  query: ApiKey.ApiKeyNameFilter.fields,
  success: Schema.Array(ApiKey.ApiKeyName),
}).annotateMerge(
  about({
    summary: "Get the names of API keys",
    description:
      "A key without a user acts under its own id. Use this to show a name instead. `id` is repeatable. Omits ids of unknown and deleted keys.",
    access: viewer,
  }),
);

const create = HttpApiEndpoint.post("create", "/api/keys", {
  payload: ApiKey.ApiKeyCreate.annotate({
    examples: [
      { name: "CI", role: "Editor", projects: ["web"] },
      { name: "Agent ops", role: "Editor", agentId: "agent-ops" },
    ],
  }),
  success: ApiKey.ApiKeyCreated.pipe(HttpApiSchema.status(201)),
  error: Problem.UnknownReference,
}).annotateMerge(
  about({
    summary: "Create an API key",
    description:
      "Only this response contains `key`. The role of the new key cannot be above the caller's.",
    access: management,
    idempotencyKey: "refused",
  }),
);

const remove = HttpApiEndpoint.delete("delete", "/api/keys/:keyId", {
  params: { keyId: Id.ServiceId.annotateKey({ description: "The key's id." }) },
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.LastOwnerKey],
}).annotateMerge(
  about({
    summary: "Delete an API key",
    description: "The key and its sessions stop working immediately.",
    access: management,
  }),
);

/** Personal API keys. */
export class KeysApi extends HttpApiGroup.make("keys")
  .add(list, names, create, remove)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Keys", description: "API keys of users and agents." }),
  ) {}
