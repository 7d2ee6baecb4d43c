import { type Client, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import { Predicate } from "effect";

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

/** Since protocol version 2026-07-28 a result asks instead. Returns the error for the agent; other results as they are. */
export const answered = <A>(result: A): A | object => {
  if (!Predicate.isReadonlyObject(result) || result["resultType"] !== "input_required") {
    return result;
  }
  const requests = Object.values(Object(result["inputRequests"])).filter(
    Predicate.isReadonlyObject,
  );
  const texts = requests.map(({ method, params }) => sentence(method, params));
  const text =
    texts.length === 0
      ? "The server asked for more input, which is not supported."
      : texts.join("\n");
  return { content: [{ type: "text", text }], isError: true };
};
