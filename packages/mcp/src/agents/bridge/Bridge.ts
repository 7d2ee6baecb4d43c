import { randomUUID } from "node:crypto";
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { Deferred, Effect, FiberSet, type Redacted, Schema, type Scope, Stream } from "effect";
import { cancelledBy } from "../../protocol/Cancelled.ts";
import * as BridgeSession from "./BridgeSession.ts";
import * as Delivery from "./Delivery.ts";
import * as Endpoint from "./Endpoint.ts";
import * as HostMessages from "./HostMessages.ts";
import { PendingRequests } from "./PendingRequests.ts";

/**
 * Carries messages between a host, which speaks MCP over stdio only, and the agents' endpoint.
 *
 * States
 * - carrying: each message of the host has its own fiber (`Delivery`) and uses the session that the
 *   host started (`BridgeSession`). Its response is pending (`PendingRequests`).
 * - draining: the host closed its output. The bridge waits for pending responses, then exits.
 * - refused: the server refused the key. The bridge fails all requests, then exits.
 *
 * Transitions
 * - carrying → draining: the lines end.
 * - carrying, draining → refused: the server responds with 401, or with 403 to a message.
 *
 * Invariants
 * - The host gets the server's messages in order of arrival, one per line.
 * - Each request of the host gets exactly one response, unless the host cancels it or the bridge
 *   exits.
 */

/** The reason why a bridge exits before the host closes it, as one sentence. */
export class BridgeError extends Schema.TaggedError<BridgeError>()("BridgeError", {
  /**
   * `unauthenticated`: the server does not know the key. `refused`: the key lacks the permission.
   */
  reason: Schema.Literals(["invalidUrl", "unauthenticated", "refused"]),
  message: Schema.String,
}) {}

export interface BridgeOptions {
  /** The URL of the server or of its endpoint `/mcp`. */
  readonly url: string;
  /** The key of the agent that the host acts as. */
  readonly key: Redacted.Redacted<string>;
  /** The run that `Quartermaster-Run` names; null if the agent claims its own runs. */
  readonly runId: string | null;
  /** The `User-Agent` of all requests. */
  readonly userAgent: string;
  /** Lines that the host writes. */
  readonly lines: Stream.Stream<string>;
  /** Writes one message to the host. */
  readonly write: (line: string) => void;
  /** Writes one sentence to people. */
  readonly say: (line: string) => void;
}

/** The longest wait for pending responses after the host has closed its output. */
const lastAnswers = "10 seconds";

/**
 * Carries messages until the host closes its output.
 *
 * Fails with `BridgeError` if the URL is invalid or the server refuses the key.
 */
export const run = Effect.fn("Bridge.run")(function* (
  options: BridgeOptions,
): Effect.fn.Return<void, BridgeError, Scope.Scope> {
  const endpoint = Endpoint.parse(options.url);
  if (endpoint === null) {
    return yield* new BridgeError({
      reason: "invalidUrl",
      message: `${options.url} is not an http or https URL. Set it to the URL of the Quartermaster server.`,
    });
  }
  // One host runs one bridge, so runs belong to this process and survive a reconnection.
  const worker = randomUUID();
  const refused = yield* Deferred.make<never, BridgeError>();
  const passing = yield* FiberSet.make();
  const { repeatable, say } = notices(options.say);
  const write = (message: object) => options.write(JSON.stringify(message));

  const requests = new PendingRequests({
    write,
    onRemove: (request: JSONRPCRequest) => session.abandon(request),
  });

  const refuse = (error: SdkHttpError) => {
    const message = `${endpoint.origin} refuses the key: ${Endpoint.detailOf(error)}`;
    requests.failAll(message);
    const reason = error.status === 401 ? "unauthenticated" : "refused";
    Deferred.doneUnsafe(refused, Effect.fail(new BridgeError({ reason, message })));
  };

  const session = yield* BridgeSession.make({
    open: Endpoint.open(endpoint, options),
    onMessage: (message) => {
      repeatable();
      const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
      if (isAnswer && message.id !== undefined) requests.remove(message.id);
      write(message);
    },
    onError: (error) => {
      if (error instanceof SdkHttpError && error.status === 401) refuse(error);
      else if (Endpoint.isUnreached(error)) say(Endpoint.tryingAgain(endpoint));
    },
    onRenewed: (stale) => {
      requests.failAll("The session expired before the server responded.", stale);
      say("The session had expired. Started a new one.");
      // Changes may have been missed while disconnected.
      for (const list of ["tools", "resources"]) {
        write({ jsonrpc: "2.0", method: `notifications/${list}/list_changed` });
      }
    },
  });

  const pass = yield* Delivery.make({ endpoint, session, requests, write, say, refuse });

  const take = (message: JSONRPCMessage | null) => {
    if (message === null) {
      const error = { code: -32_700, message: "Not JSON-RPC" };
      return Effect.sync(() => write({ jsonrpc: "2.0", id: null, error }));
    }
    session.take(message);
    const cancelled = cancelledBy(message);
    const pending = cancelled === undefined ? undefined : requests.remove(cancelled);
    if (pending !== undefined && session.isStateless()) {
      return Effect.sync(() => pending.abort.abort());
    }
    return FiberSet.run(passing, pass(HostMessages.inNameOf(worker, message)));
  };

  const takeLine = (line: string) =>
    Effect.forEach(line.trim() === "" ? [] : HostMessages.parse(line), take, { discard: true });

  const drained = Effect.andThen(FiberSet.awaitEmpty(passing), requests.answered);
  const carried = Stream.runForEach(options.lines, takeLine).pipe(
    Effect.andThen(Effect.timeoutOption(drained, lastAnswers)),
    Effect.asVoid,
    Effect.ensuring(session.end),
  );
  yield* Effect.raceFirst(carried, Deferred.await(refused));
}, Effect.scoped);

/** Suppresses a sentence that equals the previous one, until `repeatable` allows it again. */
const notices = (write: (line: string) => void) => {
  let last = "";
  return {
    say: (sentence: string) => {
      if (sentence !== last) write(`quartermaster mcp: ${sentence}`);
      last = sentence;
    },
    repeatable: () => {
      last = "";
    },
  };
};
