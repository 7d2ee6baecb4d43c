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

/** What an authorization server knows us by. */
export interface Client {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
}

/** A secret spares its owner the rotation of refresh tokens, which may be lost on the way. */
const methods = ["client_secret_basic", "client_secret_post", "none"];

/**
 * Becomes known to an authorization server: by the client that somebody registered there, else by
 * dynamic registration (RFC 7591), or, where there is none, by the address of our metadata document,
 * which then must be one that it can read.
 */
export const register = async (
  metadata: AuthorizationServerMetadata,
  us: {
    readonly redirectUri: string;
    readonly clientId: string | null;
    readonly registered: OAuthClient.RegisteredClient | null;
  },
  scope: string | undefined,
  fetch: FetchLike,
): Promise<Client> => {
  if (us.registered !== null) {
    const { id, secret } = us.registered;
    return { client_id: id, ...(secret !== null && { client_secret: Redacted.value(secret) }) };
  }
  if (metadata.registration_endpoint === undefined) {
    if (metadata.client_id_metadata_document_supported === true && us.clientId !== null) {
      return { client_id: us.clientId, token_endpoint_auth_method: "none" };
    }
    throw new OAuthFailure({
      reason: "unsupported",
      message:
        metadata.client_id_metadata_document_supported === true
          ? "The authorization server reads a metadata document of its clients: set QM_PUBLIC_URL to an https address that it can reach."
          : "The authorization server takes no registrations by program: register a client there, and give the server's entry the variables OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET.",
    });
  }
  const supported = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const clientMetadata = resolveClientMetadata({
    redirectUrl: us.redirectUri,
    clientMetadata: {
      client_name: "Quartermaster",
      redirect_uris: [us.redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: methods.find((one) => supported.includes(one)) ?? "none",
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
          message: `The authorization server refused to register a client, with HTTP status ${error.status}.`,
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
