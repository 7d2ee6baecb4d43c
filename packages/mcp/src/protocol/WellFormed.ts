import { Predicate } from "effect";

/**
 * Repairs responses that the SDK would drop because their envelope violates JSON-RPC or MCP. Their
 * requests would wait for the time limit, although the server has responded. A repaired response
 * completes its request, and core validates its content.
 */

type Members = Readonly<Record<string, unknown>>;

const relatedTask = "io.modelcontextprotocol/related-task";
const internalError = -32_603;

const isToken = (value: unknown): boolean =>
  value === undefined || typeof value === "string" || Number.isSafeInteger(value);

const isTask = (value: unknown): boolean =>
  value === undefined || (Predicate.isReadonlyObject(value) && typeof value["taskId"] === "string");

/** Whether the SDK accepts the `_meta` of a result. */
const isMeta = (meta: unknown): boolean =>
  meta === undefined ||
  (Predicate.isReadonlyObject(meta) && isToken(meta["progressToken"]) && isTask(meta[relatedTask]));

const resultOf = (result: unknown): Members => {
  if (!Predicate.isReadonlyObject(result)) return {};
  if (isMeta(result["_meta"])) return result;
  const { _meta, ...rest } = result;
  return rest;
};

const errorOf = (error: unknown): Members => {
  if (!Predicate.isReadonlyObject(error)) {
    return { code: internalError, message: JSON.stringify(error) ?? "" };
  }
  const { code, message } = error;
  if (Number.isSafeInteger(code) && typeof message === "string") return error;
  return {
    ...error,
    code: Number.isSafeInteger(code) ? code : internalError,
    message: typeof message === "string" ? message : JSON.stringify(error),
  };
};

/** Returns the message, or a repaired response in the form that the SDK accepts. */
export const wellFormed = <A>(message: A): A => {
  if (!Predicate.isReadonlyObject(message)) return message;
  const members: Members = message;
  if (members["id"] === undefined || Predicate.isNotNullish(members["method"])) return message;
  const isError =
    Predicate.isNotNullish(members["error"]) || ("error" in members && !("result" in members));
  const member = isError ? "error" : "result";
  const value = members[member];
  const repaired = isError ? errorOf(value) : resultOf(value);
  if (repaired === value && Object.keys(members).length === 3) return message;
  // A repair replaces each member of a response with a member of the same meaning.
  return { jsonrpc: members["jsonrpc"], id: members["id"], [member]: repaired } as A;
};
