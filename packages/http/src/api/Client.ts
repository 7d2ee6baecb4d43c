import { Context, Effect, Layer, type Redacted } from "effect";
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http";
import { HttpApiClient } from "effect/http-api";
import { Api } from "./Api.ts";

/** The URL of the server, and the key for its calls. */
export interface ClientOptions {
  /** Such as `https://quartermaster.example`. */
  readonly baseUrl: string | URL;
  readonly apiKey: Redacted.Redacted;
}

const make = ({ apiKey, baseUrl }: ClientOptions) =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(apiKey)),
  });

/**
 * The typed client: one method for each endpoint, that fails with the problems of the contract.
 *
 * Without Effect in the caller's code, give a method's effect to `Effect.runPromise`.
 */
export class Client extends Context.Service<Client, HttpApiClient.ForApi<typeof Api>>()(
  "@quartermaster/http/api/Client",
) {
  /** Over the `HttpClient` that is provided. */
  static readonly layerNoDeps = (options: ClientOptions) => Layer.effect(Client, make(options));

  /** Over `fetch`. */
  static readonly layer = (options: ClientOptions) =>
    Layer.provide(Client.layerNoDeps(options), FetchHttpClient.layer);
}

/** The client itself, over `fetch`, for code that has no layers. */
export const fromOptions = (options: ClientOptions): Effect.Effect<Client["Service"]> =>
  Effect.provide(make(options), FetchHttpClient.layer);
