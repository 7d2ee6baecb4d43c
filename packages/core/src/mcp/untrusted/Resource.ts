import { Effect, Predicate, Result, Schema } from "effect";
import { type ResourceKind, RpcError } from "../McpConnector.ts";
import * as ServerText from "../ServerText.ts";
import { Icons, maxBytes, maxTools } from "./Definition.ts";
import { isTooDeep } from "./Depth.ts";
import * as ResourceUri from "./ResourceUri.ts";
import { bytesOf, isReadable, readableContents, withoutNulls } from "./Results.ts";

/**
 * Resources of servers. Clients judge a list as a whole, as they do with tools. So each resource is
 * repaired and checked when it is read, and only resources that clients could not read are omitted.
 */

type Members = Readonly<Record<string, unknown>>;

/** The used part of a server's list: its first resources, up to this number and these bytes. */
export const maxResources = maxTools;
export const maxListBytes = 1024 * 1024;

export interface ResourceListing {
  /** In the server's order, with the server's own URIs. */
  readonly items: ReadonlyArray<Members>;
  /** The number of resources that were omitted because clients could not read them. */
  readonly invalid: number;
  /** The number of listed resources, if the limits exclude some of them. */
  readonly cutAt: number | null;
}

/** The content of a resource. */
export interface ResourceResult extends Members {
  readonly contents: ReadonlyArray<Members>;
}

const optional = Schema.optionalKey;

const Uri = Schema.NonEmptyString.check(
  Schema.makeFilter((text) => text.isWellFormed(), { expected: "whole characters" }),
);

/**
 * `ResourceSchema` and `ResourceTemplateSchema` of the official SDKs; annotations and `_meta` are
 * checked separately.
 */
const common = {
  name: Schema.String,
  title: optional(Schema.String),
  description: optional(Schema.String),
  mimeType: optional(Schema.String),
  icons: optional(Icons),
};
const fits = (schema: Schema.ConstraintDecoder<unknown>) => {
  const decode = Schema.decodeUnknownResult(schema);
  return (value: unknown): boolean => Result.isSuccess(decode(value));
};
const isOf = {
  resources: fits(Schema.Struct({ uri: Uri, size: optional(Schema.Finite), ...common })),
  resourceTemplates: fits(Schema.Struct({ uriTemplate: Uri, ...common })),
};
const uriOf = { resources: "uri", resourceTemplates: "uriTemplate" } as const;

/** The members that describe an item. Its URI does not change. */
const shown = ["name", "title", "description"];

const harmless = (item: Members): Members => ({
  ...ServerText.withOwnMeta(item),
  ...Object.fromEntries(
    shown.flatMap((name) => {
      const text = item[name];
      return typeof text === "string"
        ? [[name, ServerText.quoted(ServerText.withoutInvisible(text))]]
        : [];
    }),
  ),
});

/** The parts of the item that clients can read; null if there are none. */
const readable = (kind: ResourceKind, sent: unknown): Members | null => {
  if (!Predicate.isReadonlyObject(sent) || isTooDeep(sent)) return null;
  const members = Object.entries(withoutNulls(sent)).filter(isReadable);
  const item = { name: sent[uriOf[kind]], ...Object.fromEntries(members) };
  return isOf[kind](item) ? harmless(item) : null;
};

/** The number of items that are checked without a pause. */
const sliceItems = 100;

/** Repairs and checks a server's list. */
export const judge = Effect.fnUntraced(function* (
  kind: ResourceKind,
  sent: ReadonlyArray<unknown>,
): Effect.fn.Return<ResourceListing> {
  const items: Array<Members> = [];
  let invalid = 0;
  let total = 0;
  for (const [index, value] of sent.entries()) {
    if (index % sliceItems === sliceItems - 1) yield* Effect.yieldNow;
    const item = readable(kind, value);
    const bytes = item === null ? 0 : JSON.stringify(item).length;
    if (item === null || bytes > maxBytes) {
      invalid++;
      continue;
    }
    total += bytes;
    if (items.length === maxResources || total > maxListBytes) {
      return { items, invalid, cutAt: sent.length };
    }
    items.push(item);
  }
  return { items, invalid, cutAt: null };
});

/**
 * The error for a resource or prompt that is larger than allowed. `bytes` is its size, or undefined
 * if that is unknown.
 */
export const tooLarge = (
  bytes: number | undefined,
  limit: number,
  what: "prompt" | "resource" = "resource",
): RpcError => {
  const size = bytes === undefined ? "" : ` of ${bytes} bytes`;
  const message = `The ${what}${size} is larger than the limit of ${limit} bytes.`;
  return new RpcError({ code: -32_603, message });
};

/** The error of a server, or an error that the server's error is too large. */
export const boundedError = (error: RpcError, limit: number): RpcError => {
  const { code, data } = error;
  const bytes = bytesOf([error.message, data]);
  if (bytes <= limit) {
    return new RpcError({ code, message: ServerText.quoted(error.message), data });
  }
  const message = `The server's error of ${bytes} bytes is larger than the limit of ${limit} bytes.`;
  return new RpcError({ code, message });
};

/**
 * The readable form of a resource's contents, if it has at most `limit` bytes. `uri` is the URI
 * that was read.
 */
export const read = (
  sent: unknown,
  uri: string,
  limit: number,
): Effect.Effect<ResourceResult, RpcError> => {
  if (!Predicate.isReadonlyObject(sent) || !Array.isArray(sent["contents"]) || isTooDeep(sent)) {
    const message = "The server read the resource, but its contents are not readable.";
    return Effect.fail(new RpcError({ code: -32_603, message }));
  }
  const bytes = bytesOf(sent);
  if (bytes > limit) return Effect.fail(tooLarge(bytes, limit));
  const { _meta: meta, contents, ...rest } = sent;
  return Effect.succeed({
    contents: contents.map((each: unknown) => readableContents(each, uri)),
    ...(Predicate.isReadonlyObject(meta) && { _meta: ServerText.ownMeta(meta) }),
    ...rest,
  });
};

/** An item of a list, with the URI that agents use. */
export const namespaced = (kind: ResourceKind, server: string, item: Members): Members =>
  kind === "resources"
    ? { ...item, uri: ResourceUri.namespaced(server, String(item["uri"])) }
    : {
        ...item,
        uriTemplate: ResourceUri.namespacedTemplate(server, String(item["uriTemplate"])),
      };

const withUri = (server: string, members: Members): Members =>
  typeof members["uri"] === "string"
    ? { ...members, uri: ResourceUri.namespaced(server, members["uri"]) }
    : members;

/** The contents of a resource, with the URIs that agents use. */
export const namespacedResult = (server: string, result: ResourceResult): ResourceResult => ({
  ...result,
  contents: result.contents.map((each) => withUri(server, each)),
});

/** A block of a tool's result, with the URIs that agents use in links and embedded resources. */
export const namespacedBlock = (server: string, block: Members): Members => {
  if (block["type"] === "resource_link") return withUri(server, block);
  const { resource } = block;
  return block["type"] === "resource" && Predicate.isReadonlyObject(resource)
    ? { ...block, resource: withUri(server, resource) }
    : block;
};
