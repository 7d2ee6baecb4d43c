import { type Client, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { Effect, Predicate } from "effect";

/** Questions of servers to a person, which the service does not pass on. */

const sentence = (method: unknown, params: unknown): string => {
  const message = Predicate.isReadonlyObject(params) ? params["message"] : undefined;
  return method === "elicitation/create"
    ? `The server asked a person: ${String(message)}. This is not supported; use ask.`
    : `The server sent the request ${String(method)}, which is not supported.`;
};

/** Refuses requests of servers before protocol version 2026-07-28. Servers put the sentence into their result. */
export const refuse = (client: Client): void => {
  client.fallbackRequestHandler = ({ method, params }) =>
    Promise.reject(new ProtocolError(ProtocolErrorCode.MethodNotFound, sentence(method, params)));
};

/** The sentence about a result that asks for input; null for other results. */
const askedIn = (result: unknown): string | null => {
  if (!Predicate.isReadonlyObject(result) || result["resultType"] !== "input_required") {
    return null;
  }
  const requests = Object.values(Object(result["inputRequests"])).filter(
    Predicate.isReadonlyObject,
  );
  const texts = requests.map(({ method, params }) => sentence(method, params));
  return texts.length === 0
    ? "The server asked for more input, which is not supported."
    : texts.join("\n");
};

/** Since protocol version 2026-07-28 a result asks instead. Returns the error for the agent; other results as they are. */
export const answered = <A>(result: A): A | object => {
  const text = askedIn(result);
  return text === null ? result : { content: [{ type: "text", text }], isError: true };
};

/** Like `answered` for results that cannot be errors: fails instead. */
export const required = <A>(result: A): Effect.Effect<A, ProtocolError> => {
  const text = askedIn(result);
  return text === null
    ? Effect.succeed(result)
    : Effect.fail(new ProtocolError(ProtocolErrorCode.InternalError, text));
};
