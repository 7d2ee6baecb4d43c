import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const asks = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? "");

type Emit = (event: string, ...args: ReadonlyArray<unknown>) => boolean;

/**
 * Closes the connection after the response to a request for an upgrade. No route upgrades, so the
 * request gets its usual response. Node drops the bytes that arrived in the same packet: the next
 * bytes could be a body without its head, so no later request on the connection is served.
 */
export const endConnection = (server: Server): void => {
  const ending = new WeakSet<Socket>();
  const emit: Emit = server.emit.bind(server);
  const emitUnlessEnding: Emit = (event, ...args) => {
    if (event !== "request" && event !== "checkContinue") return emit(event, ...args);
    const [request, response] = args as [IncomingMessage, ServerResponse];
    if (ending.has(request.socket)) return true;
    if (asks(request)) {
      ending.add(request.socket);
      response.shouldKeepAlive = false;
    }
    return emit(event, ...args);
  };
  server.emit = emitUnlessEnding;
};
