import {
  type AuthorizationServerMetadata,
  type FetchLike,
  registerClient,
  RegistrationRejectedError,
  resolveClientMetadata,
} from "@modelcontextprotocol/client";
import { OAuthClient } from "@quartermaster/core";
import { Redacted } from "effect";

const { OAuthFailure } = OAuthClient;

/** The service's client at an authorization server. */
export interface Client {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
}

/**
 * Most preferred first. Clients with a secret need no refresh token rotation, during which a token
 * can be lost.
 */
const authMethods = ["client_secret_basic", "client_secret_post", "none"];

/**
 * Registers a client. Uses the manually registered client if there is one, otherwise dynamic client
 * registration (RFC 7591), otherwise the Client ID Metadata Document of this service, whose URL the
 * authorization server must be able to read.
 *
 * Rejects with `OAuthFailure`.
 */
export const register = async (
  metadata: AuthorizationServerMetadata,
  service: {
    readonly redirectUri: string;
    readonly clientId: string | null;
    readonly registered: OAuthClient.RegisteredClient | null;
  },
  scope: string | undefined,
  fetch: FetchLike,
  publicUrl: string,
): Promise<Client> => {
  if (service.registered !== null) {
    const { id, secret } = service.registered;
    return { client_id: id, ...(secret !== null && { client_secret: Redacted.value(secret) }) };
  }
  if (metadata.registration_endpoint === undefined) {
    if (metadata.client_id_metadata_document_supported === true && service.clientId !== null) {
      return { client_id: service.clientId, token_endpoint_auth_method: "none" };
    }
    throw new OAuthFailure({
      reason: "unsupported",
      message:
        metadata.client_id_metadata_document_supported === true
          ? `The authorization server reads a Client ID Metadata Document. Set ${publicUrl} to an https URL that it can reach.`
          : "The authorization server has no dynamic client registration. Register a client there, and give the server's entry the variables OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET.",
    });
  }
  const supported = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const clientMetadata = resolveClientMetadata({
    redirectUrl: service.redirectUri,
    clientMetadata: {
      client_name: "Quartermaster",
      redirect_uris: [service.redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method:
        authMethods.find((method) => supported.includes(method)) ?? "none",
    },
  });
  const client = await registerClient(metadata.issuer, {
    metadata,
    clientMetadata,
    fetchFn: fetch,
    ...(scope !== undefined && { scope }),
  }).catch((error) => {
    throw error instanceof RegistrationRejectedError
      ? new OAuthFailure({
          reason: "refused",
          message: `The authorization server rejected the registration of a client: HTTP status ${error.status}.`,
        })
      : error;
  });
  const { client_id, client_secret, token_endpoint_auth_method } = client;
  return {
    client_id,
    ...(client_secret !== undefined && { client_secret }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
  };
};
