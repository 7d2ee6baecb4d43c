import { describe } from "@effect/vitest";
import type { Layer } from "effect";
import type { Storage } from "../Storage.ts";
import { block } from "../Suite.ts";
import * as ServerAccess from "./servers/ServerAccess.ts";
import * as ServerRows from "./servers/ServerRows.ts";
import * as ServerSecrets from "./servers/ServerSecrets.ts";
import * as ServerTools from "./servers/ServerTools.ts";

/** The requirements of every `McpServerStore`, together with the agent store. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`McpServerStore: ${name}`, () => {
    block("rows", storage, ServerRows.tests);
    block("list", storage, ServerRows.list);
    block("removal", storage, ServerRows.removal);
    block("secrets", storage, ServerSecrets.tests);
    block("rotation", storage, ServerSecrets.rotation);
    block("tools", storage, ServerTools.tests);
    block("access", storage, ServerAccess.tests);
    block("grants", storage, ServerAccess.grants);
  });
};
