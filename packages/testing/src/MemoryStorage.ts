import { Transactor } from "@quartermaster/core";
import { Layer } from "effect";
import { Digest } from "effect/crypto";
import { Database } from "./memory/Database.ts";
import * as MemoryActivityStore from "./memory/MemoryActivityStore.ts";
import * as MemoryAgentStore from "./memory/MemoryAgentStore.ts";
import * as MemoryAttachmentContent from "./memory/MemoryAttachmentContent.ts";
import * as MemoryAttachmentStore from "./memory/MemoryAttachmentStore.ts";
import * as MemoryCommentStore from "./memory/MemoryCommentStore.ts";
import * as MemoryEventStore from "./memory/MemoryEventStore.ts";
import * as MemoryIdempotencyStore from "./memory/MemoryIdempotencyStore.ts";
import * as MemoryIssueStore from "./memory/MemoryIssueStore.ts";
import * as MemoryKeyStore from "./memory/MemoryKeyStore.ts";
import * as MemoryLinkStore from "./memory/MemoryLinkStore.ts";
import * as MemoryMcpServerStore from "./memory/MemoryMcpServerStore.ts";
import * as MemoryRunStore from "./memory/MemoryRunStore.ts";
import * as MemorySessionStore from "./memory/MemorySessionStore.ts";
import * as MemoryToolCallStore from "./memory/MemoryToolCallStore.ts";
import type { Storage } from "./Storage.ts";

const stores = Layer.mergeAll(
  MemoryActivityStore.layer,
  MemoryAgentStore.layer,
  MemoryAttachmentContent.layer,
  MemoryAttachmentStore.layer,
  MemoryCommentStore.layer,
  MemoryEventStore.layer,
  MemoryIdempotencyStore.layer,
  MemoryIssueStore.layer,
  MemoryKeyStore.layer,
  MemoryLinkStore.layer,
  MemoryMcpServerStore.layer,
  MemoryRunStore.layer,
  MemorySessionStore.layer,
  MemoryToolCallStore.layer,
  Layer.effect(Transactor.Transactor, Database),
);

/** Every port in memory, over one shared state. `Digest` hashes attachments. */
export const layerNoDeps: Layer.Layer<Storage, never, Digest.Digest> = Layer.provide(
  stores,
  Database.layer,
);

/** Every port in memory, over one shared state. Each build starts empty. */
export const layer: Layer.Layer<Storage> = Layer.provide(layerNoDeps, Digest.layerWebCrypto);

/**
 * Like `layer`, but runs every outermost change, rolls it back, and runs it again. Run your tests
 * over it to find a change that is not safe to repeat, as `Transactor` requires.
 */
export const layerRerun: Layer.Layer<Storage> = stores.pipe(
  Layer.provide(Database.layerWith({ rerun: true })),
  Layer.provide(Digest.layerWebCrypto),
);
