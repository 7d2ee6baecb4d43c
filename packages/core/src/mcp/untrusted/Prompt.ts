import { Effect, Predicate, Result, Schema } from "effect";
import { errorsOf } from "../../Input.ts";
import { RpcError } from "../McpConnector.ts";
import * as ServerText from "../ServerText.ts";
import { Icons } from "./Definition.ts";
import { isTooDeep } from "./Depth.ts";
import * as Resource from "./Resource.ts";
import { bytesOf, readableBlock, withoutNulls } from "./Results.ts";

/**
 * Prompts of servers: their definitions, which are pinned like definitions of tools, their messages, and
 * completions of arguments.
 */

type Members = Readonly<Record<string, unknown>>;

const optional = Schema.optionalKey;

/** `PromptSchema` of the official SDKs. */
const Definition = Schema.Struct({
  name: Schema.String.check(Schema.isMinLength(1, { message: "It has no name" })),
  title: optional(Schema.String),
  description: optional(Schema.String),
  arguments: optional(
    Schema.Array(
      Schema.Struct({
        name: Schema.String,
        title: optional(Schema.String),
        description: optional(Schema.String),
        required: optional(Schema.Boolean),
      }),
    ),
  ),
  icons: optional(Icons),
  _meta: optional(Schema.Record(Schema.String, Schema.Unknown)),
});

const decode = Schema.decodeUnknownResult(Definition);

const members = (value: unknown): unknown =>
  Predicate.isReadonlyObject(value) ? withoutNulls(value) : value;

const listOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((each) => each !== null).map(members) : value;

/** The same definition without nulls for absent members. */
export const repaired = <A extends Members>(definition: A): A =>
  Object.fromEntries(
    Object.entries(ServerText.withOwnMeta(withoutNulls(definition))).map(([name, value]) => [
      name,
      name === "arguments" || name === "icons" ? listOf(value) : value,
    ]),
  ) as A;

/** The reason why a repaired definition is withheld; null if it is not. */
export const problemOf = (
  definition: Members,
  json: string = JSON.stringify(definition),
): string | null => {
  const invisible = ServerText.invisibleIn(json);
  if (invisible !== null) {
    return `It has a character that models read and people do not see (${invisible}).`;
  }
  const result = decode(definition);
  if (Result.isSuccess(result)) return null;
  const [first] = errorsOf(result.failure.issue);
  if (first === undefined) return "It is not a definition of a prompt.";
  return first.path === "" ? first.message : `${first.path}: ${first.message}`;
};

/** The messages of a prompt. */
export interface PromptResult extends Members {
  readonly messages: ReadonlyArray<Members>;
}

const failed = (message: string) => Effect.fail(new RpcError({ code: -32_603, message }));

/** The error for messages that are larger than allowed; `bytes` is undefined if the size is unknown. */
export const tooLarge = (bytes: number | undefined, limit: number): RpcError =>
  Resource.tooLarge(bytes, limit, "prompt");

/** The messages have the voice of a person or of the model, so no text in them may be invisible. */
const visible = (block: Members): Members =>
  typeof block["text"] === "string"
    ? { ...block, text: ServerText.quoted(ServerText.withoutInvisible(block["text"])) }
    : block;

const readable = (sent: unknown): Members | null => {
  if (!Predicate.isReadonlyObject(sent)) return null;
  const { content, role } = sent;
  return role === "user" || role === "assistant"
    ? { role, content: visible(readableBlock(content)) }
    : null;
};

/** The messages as clients can read them, if they have at most `limit` bytes as JSON. */
export const read = (sent: unknown, limit: number): Effect.Effect<PromptResult, RpcError> => {
  const unreadable = "The server returned the prompt, but its messages are not readable.";
  if (!Predicate.isReadonlyObject(sent) || !Array.isArray(sent["messages"]) || isTooDeep(sent)) {
    return failed(unreadable);
  }
  const bytes = bytesOf(sent);
  if (bytes > limit) return Effect.fail(tooLarge(bytes, limit));
  const { _meta: meta, description, messages, ...rest } = sent;
  const read = messages.map(readable);
  const whole = read.filter((message) => message !== null);
  if (whole.length < read.length) return failed(unreadable);
  return Effect.succeed({
    ...(typeof description === "string" && {
      description: ServerText.quoted(ServerText.withoutInvisible(description)),
    }),
    ...(Predicate.isReadonlyObject(meta) && { _meta: ServerText.ownMeta(meta) }),
    ...rest,
    messages: whole,
  });
};

/** The messages, with the URIs that agents use in links and embedded resources. */
export const namespacedResult = (server: string, result: PromptResult): PromptResult => ({
  ...result,
  messages: result.messages.map(({ content, ...message }) => ({
    ...message,
    content: Predicate.isReadonlyObject(content)
      ? Resource.namespacedBlock(server, content)
      : content,
  })),
});

export interface CompletionResult {
  readonly completion: {
    readonly values: ReadonlyArray<string>;
    readonly total?: number;
    readonly hasMore?: boolean;
  };
}

/** The number of values of a completion in every protocol version. */
const maxValues = 100;

/** The values of a completion as clients can read them; none for an unreadable one. */
export const completed = (sent: unknown): CompletionResult => {
  const given = Predicate.isReadonlyObject(sent) ? sent["completion"] : undefined;
  const { hasMore, total, values } = Predicate.isReadonlyObject(given) ? given : {};
  const texts = Array.isArray(values)
    ? values.filter((value): value is string => typeof value === "string")
    : [];
  const isCut = texts.length > maxValues;
  return {
    completion: {
      values: texts
        .slice(0, maxValues)
        .map((value) => ServerText.quoted(ServerText.withoutInvisible(value))),
      ...(Number.isSafeInteger(total) && { total: Number(total) }),
      ...((isCut || typeof hasMore === "boolean") && { hasMore: isCut || hasMore === true }),
    },
  };
};
