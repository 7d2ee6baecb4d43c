import { describe } from "@effect/vitest";
import type { Layer } from "effect";
import type { Storage } from "../Storage.ts";
import { block } from "../Suite.ts";
import * as ContentBytes from "./content/ContentBytes.ts";
import * as ContentLifetime from "./content/ContentLifetime.ts";

/** The requirements of every `AttachmentContent`, together with the store of attachment rows. */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void => {
  describe(`AttachmentContent: ${name}`, () => {
    block("bytes", storage, ContentBytes.tests);
    block("lifetime", storage, ContentLifetime.tests);
  });
};
