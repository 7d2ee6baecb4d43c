import {
  Client,
  ProtocolError,
  SdkHttpError,
  type StandardSchemaV1,
  type Transport,
} from "@modelcontextprotocol/client";
import { Effect } from "effect";
import { TransportFailure } from "./Failure.ts";

export const clientInfo = { name: "quartermaster", version: "0.1.0" };

/** The newest revision, of servers that know no `initialize`. */
const modern = "2026-07-28";

/** Takes any result as it is. */
export const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "quartermaster", validate: (value) => ({ value }) },
};

const makeClient = (pin: string | null) =>
  new Client(clientInfo, {
    capabilities: {},
    // Results go through as they are: nobody here judges them.
    jsonSchemaValidator: { getValidator: () => (value) => pass(value) },
    ...(pin !== null && { versionNegotiation: { mode: { pin } } }),
  });

const pass = (value: unknown) => ({
  valid: true as const,
  data: value as never,
  errorMessage: undefined,
});

/** Whether the server answered `initialize` by refusing it, as one that has no such method does. */
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
 * Greets a server: `initialize` first, which every server known today answers, and `server/discover`
 * where that is refused.
 */
export const greet = (transport: () => Transport, timeoutMillis: number) =>
  Effect.catch(attempt(transport(), null, timeoutMillis), (error) =>
    isRefusal(error)
      ? Effect.mapError(attempt(transport(), modern, timeoutMillis), () => error)
      : Effect.fail(error),
  );
