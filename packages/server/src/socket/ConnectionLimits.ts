import type { IncomingMessage, Server } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import { Clock, type Duration, Effect, Schedule, type Scope } from "effect";

/**
 * Limits for clients that hold connections without using them. Times are in milliseconds.
 *
 * - A new connection has `firstRequest` to start a request.
 * - A body may pause for `bodyPause`. After `bodyGrace` it must have arrived at
 *   `bodyBytesPerSecond` on average; at that rate it may take as long as it needs.
 * - An address may have `perAddress` connections. Loopback addresses and trusted proxies are
 *   exempt, because many clients share them.
 *
 * The server closes a connection beyond a limit without a response.
 */
export interface Limits {
  readonly firstRequest: number;
  readonly bodyPause: number;
  readonly bodyGrace: number;
  readonly bodyBytesPerSecond: number;
  readonly perAddress: number;
  readonly checkEvery: Duration.Input;
}

export const defaults: Limits = {
  firstRequest: 30_000,
  bodyPause: 60_000,
  bodyGrace: 60_000,
  bodyBytesPerSecond: 1024,
  perAddress: 1000,
  checkEvery: "5 seconds",
};

/**
 * Applies the limits to a server until the scope closes. Addresses for which `isShared` holds are
 * exempt from `perAddress`.
 */
export const apply = Effect.fnUntraced(function* (
  server: Server,
  isShared: (address: string | undefined) => boolean,
  limits: Limits = defaults,
): Effect.fn.Return<void, never, Scope.Scope> {
  limitAddresses(server, isShared, limits.perAddress);
  server.on(server instanceof SecureServer ? "secureConnection" : "connection", (socket: Socket) =>
    socket.setTimeout(limits.firstRequest),
  );
  const bodies = watchBodies(server, limits, yield* Clock.Clock);
  yield* Effect.sync(bodies.closeSlow).pipe(
    Effect.repeat(Schedule.spaced(limits.checkEvery)),
    Effect.forkScoped,
  );
});

const limitAddresses = (
  server: Server,
  isShared: (address: string | undefined) => boolean,
  perAddress: number,
) => {
  const connections = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    if (isShared(remoteAddress)) return;
    const count = (connections.get(remoteAddress) ?? 0) + 1;
    if (count > perAddress) return void socket.destroy();
    connections.set(remoteAddress, count);
    socket.once("close", () => {
      const left = (connections.get(remoteAddress) ?? 1) - 1;
      if (left === 0) connections.delete(remoteAddress);
      else connections.set(remoteAddress, left);
    });
  });
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;

/**
 * Sets the time limits when a request starts. `closeSlow` closes connections whose bodies are too
 * slow.
 */
const watchBodies = (server: Server, limits: Limits, clock: Clock.Clock) => {
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n);
  const bodies = new Map<IncomingMessage, { readonly startedAt: number; readonly bytes: number }>();

  const start = (request: IncomingMessage) => {
    const { socket } = request;
    if (!hasBody(request)) {
      // The response has no time limit.
      if (socket.timeout === limits.firstRequest) socket.setTimeout(0);
      return;
    }
    socket.setTimeout(limits.bodyPause);
    bodies.set(request, { startedAt: now(), bytes: socket.bytesRead });
    request.once("close", () => bodies.delete(request));
    request.once("end", () => {
      bodies.delete(request);
      // Node may have set the time limit of an idle connection already.
      if (socket.timeout === limits.bodyPause) socket.setTimeout(0);
    });
  };
  server.on("request", start).on("checkContinue", start);

  const closeSlow = () => {
    for (const [{ socket }, { bytes, startedAt }] of bodies) {
      const elapsed = now() - startedAt;
      const rate = ((socket.bytesRead - bytes) * 1000) / elapsed;
      if (elapsed > limits.bodyGrace && rate < limits.bodyBytesPerSecond) socket.destroy();
    }
  };
  return { closeSlow };
};
