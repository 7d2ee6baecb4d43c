import { Client, ProtocolError, SdkHttpError, type Transport } from "@modelcontextprotocol/client";
import { Effect } from "effect";
import { jsonSchemaValidator } from "../../protocol/PassThrough.ts";
import { version } from "../../protocol/Version.ts";
import { TransportFailure } from "./Failure.ts";

/** The protocol version for servers without `initialize`. */
const current = "2026-07-28";

const makeClient = (pin: string | null) =>
  new Client(
    { name: "quartermaster", version },
    {
      capabilities: {},
      jsonSchemaValidator,
      ...(pin !== null && { versionNegotiation: { mode: { pin } } }),
    },
  );

/** Whether the server refused `initialize` like a server without that method. */
const isRefusal = (error: unknown) =>
  error instanceof ProtocolError ||
  (error instanceof SdkHttpError && error.data.status === 400) ||
  (error instanceof TransportFailure && error.status === 400);

const attempt = (transport: Transport, pin: string | null, timeoutMillis: number) =>
  Effect.tryPromise({
    try: async (signal) => {
      const client = makeClient(pin);
      await client.connect(transport, { timeout: timeoutMillis, signal });
      return client;
    },
    catch: (error) => error,
  });

/**
 * Connects a client with `initialize`, which every known server supports, and with
 * `server/discover` if the server refuses it. Fails with the first failure.
 */
export const greet = (transport: () => Transport, timeoutMillis: number) =>
  Effect.catch(attempt(transport(), null, timeoutMillis), (error) =>
    isRefusal(error)
      ? Effect.mapError(attempt(transport(), current, timeoutMillis), () => error)
      : Effect.fail(error),
  );
