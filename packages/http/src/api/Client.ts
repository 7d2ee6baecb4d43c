import { Context, Effect, Layer, type Redacted } from "effect";
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http";
import { HttpApiClient } from "effect/http-api";
import { Api } from "./Api.ts";

/** The URL of the server, and the key for its calls. */
export interface ClientOptions {
  /** The URL of the server, such as `https://quartermaster.example`. */
  readonly baseUrl: string | URL;
  readonly apiKey: Redacted.Redacted;
}

const make = ({ apiKey, baseUrl }: ClientOptions) =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(apiKey)),
  });

/**
 * The typed client: one method per endpoint, which fails with the problems of the contract.
 *
 * Code without Effect passes the effect of a method to `Effect.runPromise`.
 */
export class Client extends Context.Service<Client, HttpApiClient.ForApi<typeof Api>>()(
  "@quartermaster/http/api/Client",
) {
  /** Uses the `HttpClient` of the context. */
  static readonly layerNoDeps = (options: ClientOptions) => Layer.effect(Client, make(options));

  /** Uses `fetch`. */
  static readonly layer = (options: ClientOptions) =>
    Layer.provide(Client.layerNoDeps(options), FetchHttpClient.layer);
}

/** Creates a client over `fetch`, for code without layers. */
export const fromOptions = (options: ClientOptions): Effect.Effect<Client["Service"]> =>
  Effect.provide(make(options), FetchHttpClient.layer);
