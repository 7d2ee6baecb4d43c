import { Predicate, Result, Schema } from "effect";
import type { RpcError, ToolResult } from "../McpConnector.ts";
import * as ServerText from "../ServerText.ts";
import type { ToolDefinition } from "../Tool.ts";
import { Icons } from "./Definition.ts";

/**
 * Results of tools, from their servers. A client discards a result that it cannot read, although
 * the server carried out the call. So every readable part is retained, in a form for clients of
 * every protocol version.
 */

type Members = Readonly<Record<string, unknown>>;

const optional = Schema.optionalKey;
const Json = Schema.Record(Schema.String, Schema.Unknown);

/** Text that `atob` decodes, which checks it in version 1 of the SDK. */
const isBase64 = (text: string): boolean => {
  const data = /[\t\n\f\r ]/.test(text) ? text.replace(/[\t\n\f\r ]+/g, "") : text;
  const length = data.length % 4 === 0 ? data.replace(/={1,2}$/, "").length : data.length;
  return length % 4 !== 1 && !/[^A-Za-z0-9+/]/.test(data.slice(0, length));
};

const Base64 = Schema.String.check(
  Schema.makeFilter((text) => isBase64(text), { expected: "base64" }),
);

const Media = Schema.Struct({ data: Base64, mimeType: Schema.String });

const contents = { uri: Schema.String, mimeType: optional(Schema.String), _meta: optional(Json) };

const ResourceContents = Schema.Union([
  Schema.Struct({ ...contents, text: Schema.String }),
  Schema.Struct({ ...contents, blob: Base64 }),
]);

/** The kinds of blocks of the protocol versions up to 2026-07-28, and what each one requires. */
const kinds: Readonly<Record<string, Schema.ConstraintDecoder<unknown>>> = {
  text: Schema.Struct({ text: Schema.String }),
  image: Media,
  audio: Media,
  resource_link: Schema.Struct({
    uri: Schema.String,
    name: Schema.String,
    title: optional(Schema.String),
    description: optional(Schema.String),
    mimeType: optional(Schema.String),
    size: optional(Schema.Finite),
    icons: optional(Icons),
  }),
  resource: Schema.Struct({ resource: ResourceContents }),
};

const Annotations = Schema.Struct({
  audience: optional(Schema.Array(Schema.Literals(["user", "assistant"]))),
  priority: optional(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
  lastModified: optional(
    Schema.String.check(
      Schema.isPattern(
        /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/,
      ),
    ),
  ),
});

const fits = (schema: Schema.ConstraintDecoder<unknown>) => {
  const decode = Schema.decodeUnknownResult(schema);
  return (value: unknown): boolean => Result.isSuccess(decode(value));
};

const isKind = new Map(Object.entries(kinds).map(([kind, schema]) => [kind, fits(schema)]));
const areAnnotations = fits(Annotations);
const areContents = fits(ResourceContents);

const text = (text: string) => ({ type: "text", text });

/** The members of blocks that models read as text: `text`, and of links the others. */
const prose = ["text", "name", "title", "description"];

/** A block or contents whose text, or embedded text, cannot be mistaken for the service's. */
const harmless = (members: Members): Members => {
  const { resource } = members;
  const texts = prose.flatMap((name) => {
    const text = members[name];
    return typeof text === "string" ? [[name, ServerText.quoted(text)] as const] : [];
  });
  return {
    ...ServerText.withOwnMeta(members),
    ...Object.fromEntries(texts),
    ...(Predicate.isReadonlyObject(resource) && { resource: harmless(resource) }),
  };
};

const json = (value: unknown): string => JSON.stringify(value) ?? "null";

/** The number of characters that are shown of an unreadable block. */
const maxShown = 4_096;

const start = (value: unknown): string => {
  const shown = json(value);
  return shown.length > maxShown
    ? `${shown.slice(0, maxShown)}… (${shown.length} characters)`
    : shown;
};

const described = (block: unknown) => {
  if (typeof block === "string") return text(ServerText.quoted(block));
  const type = Predicate.isReadonlyObject(block) ? block["type"] : undefined;
  const cut = start(block);
  return text(
    typeof type !== "string"
      ? `[Content without a type: ${cut}]`
      : isKind.has(type)
        ? `[Content of the type ${type} that is not valid: ${cut}]`
        : `[Content of the unknown type ${type.slice(0, 256)}: ${cut}]`,
  );
};

export const withoutNulls = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** The optional members of every kind of block, if clients can read them. */
export const isReadable = ([name, value]: readonly [string, unknown]): boolean => {
  if (name === "annotations") return areAnnotations(value);
  return name === "_meta" ? Predicate.isReadonlyObject(value) : true;
};

/** A block of content as clients can read it. */
export const readableBlock = (sent: unknown): Members => {
  if (!Predicate.isReadonlyObject(sent)) return described(sent);
  const { resource, ...rest } = withoutNulls(sent);
  const members = Object.entries(rest).filter(isReadable);
  const block: Members = {
    ...Object.fromEntries(members),
    ...(resource !== undefined && {
      resource: Predicate.isReadonlyObject(resource) ? withoutNulls(resource) : resource,
    }),
  };
  return isKind.get(String(block["type"]))?.(block) === true ? harmless(block) : described(sent);
};

/** The blocks of a result; undefined if it has none. */
const blocksOf = (content: unknown): ReadonlyArray<Members> | undefined => {
  if (Array.isArray(content)) {
    const sent = content.filter((block) => block !== null);
    return sent.length === 0 && content.length > 0 ? undefined : sent.map(readableBlock);
  }
  if (typeof content === "string") return [text(ServerText.quoted(content))];
  return Predicate.isReadonlyObject(content) ? [readableBlock(content)] : undefined;
};

const replacements = new WeakSet<ToolResult>();

/** A result of the service, in place of a result that arrived and that it cannot return. */
export const replacement = (sentence: string): ToolResult => {
  const result: ToolResult = { content: [text(sentence)], isError: true };
  replacements.add(result);
  return result;
};

export const isReplacement = (result: ToolResult): boolean => replacements.has(result);

const unreadable = replacement("The call was carried out; its answer could not be read.");

/**
 * `structuredContent` that is not an object, which only the protocol version 2026-07-28 allows, as
 * a block.
 */
const valueAsText = (value: unknown, blocks: ReadonlyArray<Members>): ReadonlyArray<Members> => {
  const shown = json(value);
  return blocks.some((block) => block["text"] === shown || block["text"] === value)
    ? blocks
    : [...blocks, text(typeof value === "string" ? ServerText.quoted(value) : shown)];
};

/**
 * Replaces a result that is larger than allowed. `bytes` is its size, or undefined if that is
 * unknown.
 */
export const tooLarge = (bytes: number | undefined, limit: number): ToolResult => {
  const size = bytes === undefined ? "" : ` of ${bytes} bytes`;
  const sentence = `The call was carried out; its result${size} is larger than the limit of ${limit} bytes.`;
  return replacement(`${sentence} Ask for less.`);
};

const encoder = new TextEncoder();

/** The size of a value as JSON. */
export const bytesOf = (value: unknown): number =>
  encoder.encode(JSON.stringify(value) ?? "").length;

/**
 * The result as clients can read it, if it has at most `maxResultBytes` bytes as JSON. Members that
 * no protocol version defines stay as they are.
 */
export const readable = (sent: unknown, maxResultBytes: number): ToolResult => {
  if (!Predicate.isReadonlyObject(sent)) return unreadable;
  const bytes = bytesOf(sent);
  if (bytes > maxResultBytes) return tooLarge(bytes, maxResultBytes);
  const { _meta: meta, content, isError, structuredContent, ...rest } = sent;
  const isStructured = Predicate.isReadonlyObject(structuredContent);
  const hasValue = !isStructured && Predicate.isNotNullish(structuredContent);
  const blocks =
    blocksOf(content) ??
    (isStructured ? [text(json(structuredContent))] : hasValue ? [] : undefined);
  if (blocks === undefined) return unreadable;
  return {
    content: hasValue ? valueAsText(structuredContent, blocks) : blocks,
    ...(isStructured && { structuredContent }),
    // Any value but false means a failure.
    ...(Predicate.isNotNullish(isError) && { isError: isError !== false && isError !== "false" }),
    ...(Predicate.isReadonlyObject(meta) && { _meta: ServerText.ownMeta(meta) }),
    ...rest,
  };
};

/** The readable contents of a resource. `uri` is the URI that was read. */
export const readableContents = (sent: unknown, uri: string): Members => {
  const members = Predicate.isReadonlyObject(sent)
    ? Object.fromEntries(Object.entries(withoutNulls({ uri, ...sent })).filter(isReadable))
    : {};
  return areContents(members)
    ? harmless(members)
    : { uri, mimeType: "text/plain", text: `[Contents that are not valid: ${start(sent)}]` };
};

/** The URLs that a person has to open before the server carries the call out. */
const urlsOf = (data: unknown): ReadonlyArray<Members> => {
  const elicitations = Predicate.isReadonlyObject(data) ? data["elicitations"] : undefined;
  if (!Array.isArray(elicitations)) return [];
  return elicitations.flatMap((elicitation: unknown) =>
    Predicate.isReadonlyObject(elicitation) && typeof elicitation["url"] === "string"
      ? [text(`A person has to open this URL first: ${elicitation["url"]}`)]
      : [],
  );
};

/**
 * A JSON-RPC error as a result: its message and its data. Clients compare structured content with
 * the tool's `outputSchema`, even in an error. With such a schema, the data is only text.
 */
const shownError = (error: RpcError, definition: ToolDefinition): ToolResult => {
  const { data } = error;
  const message = ServerText.quoted(error.message);
  if (data === undefined || data === null) return { content: [text(message)], isError: true };
  return {
    content: [text(message), ...urlsOf(data), text(json(data))],
    ...(definition["outputSchema"] === undefined && {
      structuredContent: Predicate.isReadonlyObject(data) ? data : { data },
    }),
    isError: true,
  };
};

/** A JSON-RPC error as a result, if it has at most `maxResultBytes` bytes as JSON. */
export const ofRpcError = (
  error: RpcError,
  definition: ToolDefinition,
  maxResultBytes: number,
): ToolResult => {
  const shown = shownError(error, definition);
  const bytes = bytesOf(shown);
  if (bytes <= maxResultBytes) return shown;
  const sentence = `The server's error of ${bytes} bytes is larger than the limit of ${maxResultBytes} bytes.`;
  return { content: [text(sentence)], isError: true };
};
