import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An authorization server and an MCP server that requires its tokens, on 127.0.0.1. */

/** Deviations from correct behavior. A change applies to the next request. */
export interface Behaviour {
  /** Metadata that is missing, or that has different members. */
  resourceMetadata: boolean | Record<string, unknown>;
  metadata: boolean | Record<string, unknown>;
  /** Writes the response of the token endpoint instead of the provider. */
  token: ((response: ServerResponse) => void) | null;
  /** The `iss` of the redirect, in addition to code and state. */
  iss: string | null;
  /** The lifetime of its tokens in seconds, as the provider reports it. */
  expiresIn: number;
  /** The scope that the list of tools requires in addition to `read`. */
  right: string | null;
}

export interface Client {
  /** Undefined for a public client. */
  readonly secret: string | undefined;
  readonly redirectUri: string;
}

interface Code {
  readonly challenge: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scope: string;
}

const read = async (request: IncomingMessage) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
};

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));

export const start = async () => {
  const behaviour: Behaviour = {
    resourceMetadata: true,
    metadata: true,
    token: null,
    iss: null,
    expiresIn: 3_600,
    right: null,
  };
  const clients = new Map<string, Client>();
  const codes = new Map<string, Code>();
  const refreshTokens = new Set<string>();
  /** Access tokens with their scopes. */
  const accessTokens = new Map<string, string>();
  /** Every secret that the provider has issued. */
  const canaries: Array<string> = [];
  /** The grant types that clients requested at the token endpoint. */
  const grants: Array<string> = [];
  const paths: Array<string> = [];

  const canary = (kind: string) => {
    const text = `canary-${kind}-${randomBytes(12).toString("hex")}`;
    canaries.push(text);
    return text;
  };

  const give = (scope: string) => {
    const [access, refresh] = [canary("access"), canary("refresh")];
    accessTokens.set(access, scope);
    refreshTokens.add(refresh);
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: "bearer",
      expires_in: behaviour.expiresIn,
    };
  };

  const authorizeAt = (query: URLSearchParams, response: ServerResponse) => {
    const clientId = query.get("client_id") ?? "";
    const redirectUri = query.get("redirect_uri") ?? "";
    const isKnown = clients.get(clientId)?.redirectUri === redirectUri || isDocument(clientId);
    const isFit =
      isKnown &&
      query.get("response_type") === "code" &&
      query.get("code_challenge_method") === "S256" &&
      query.get("resource") === `${url}/mcp`;
    if (!isFit) return json(response, 400, { error: "invalid_request" });
    const code = canary("code");
    codes.set(code, {
      challenge: query.get("code_challenge") ?? "",
      clientId,
      redirectUri,
      resource: `${url}/mcp`,
      scope: query.get("scope") ?? "",
    });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    if (behaviour.iss !== null) back.searchParams.set("iss", behaviour.iss);
    return response.writeHead(302, { location: back.href }).end();
  };

  const isDocument = (clientId: string) => clientId.startsWith("https://");

  const token = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await read(request));
    grants.push(form.get("grant_type") ?? "");
    if (behaviour.token !== null) return behaviour.token(response);
    const basic = Buffer.from(request.headers.authorization?.slice(6) ?? "", "base64").toString();
    const [clientId = ""] = basic === "" ? [form.get("client_id") ?? ""] : basic.split(":");
    const isClient = isDocument(clientId) || clients.get(clientId)?.secret === basic.split(":")[1];
    if (!isClient) return json(response, 401, { error: "invalid_client" });
    if (form.get("resource") !== `${url}/mcp`) {
      return json(response, 400, { error: "invalid_target" });
    }
    if (form.get("grant_type") === "refresh_token") {
      return refreshTokens.delete(form.get("refresh_token") ?? "")
        ? json(response, 200, give("read"))
        : json(response, 400, { error: "invalid_grant" });
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    canaries.push(verifier);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return code?.challenge === challenge &&
      code.clientId === clientId &&
      code.redirectUri === form.get("redirect_uri")
      ? json(response, 200, give(code.scope))
      : json(response, 400, { error: "invalid_grant", error_description: verifier });
  };

  const mcp = async (request: IncomingMessage, response: ServerResponse) => {
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const rights = accessTokens.get(bearer)?.split(" ");
    const refuse = (status: number, why: string) => {
      const where = `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`;
      return json(response, status, {}, { "www-authenticate": `Bearer ${where}, ${why}` });
    };
    if (rights === undefined) return refuse(401, 'scope="read"');
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await read(request));
    if (id === undefined) return response.writeHead(202).end();
    const { right } = behaviour;
    if (method === "tools/list" && right !== null && !rights.includes(right)) {
      return refuse(403, `error="insufficient_scope", scope="${right}"`);
    }
    const result =
      method === "initialize"
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: "protected", version: "1" },
          }
        : method === "tools/list"
          ? { tools: [{ name: "whoami", inputSchema: { type: "object" } }] }
          : { content: [{ type: "text", text: `You are ${bearer}.` }] };
    return json(response, 200, { jsonrpc: "2.0", id, result });
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    paths.push(`${request.method} ${pathname}`);
    if (pathname === "/mcp") return mcp(request, response);
    if (pathname === "/issuer/authorize") return authorizeAt(searchParams, response);
    if (pathname === "/issuer/token") return token(request, response);
    if (pathname === "/issuer/register") {
      const { redirect_uris } = JSON.parse(await read(request));
      const [client_id, client_secret] = [`client-${clients.size}`, canary("client")];
      clients.set(client_id, { secret: client_secret, redirectUri: redirect_uris[0] });
      return json(response, 201, { client_id, client_secret, redirect_uris });
    }
    const { metadata, resourceMetadata } = behaviour;
    if (pathname === "/.well-known/oauth-protected-resource/mcp" && resourceMetadata !== false) {
      return json(response, 200, {
        resource: `${url}/mcp`,
        authorization_servers: [`${url}/issuer`],
        ...(resourceMetadata === true ? {} : resourceMetadata),
      });
    }
    if (pathname === "/.well-known/oauth-authorization-server/issuer" && metadata !== false) {
      return json(response, 200, {
        issuer: `${url}/issuer`,
        authorization_endpoint: `${url}/issuer/authorize`,
        token_endpoint: `${url}/issuer/token`,
        registration_endpoint: `${url}/issuer/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        ...(metadata === true ? {} : metadata),
      });
    }
    return response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    behaviour,
    canaries,
    grants,
    paths,
    clients,
    /** Registers a client like an operator of the provider. Returns the secret. */
    registerByHand: (id: string, redirectUri: string) => {
      const secret = canary("client");
      clients.set(id, { secret, redirectUri });
      return secret;
    },
    /** Rejects every token issued so far. */
    forget: () => {
      accessTokens.clear();
    },
    forgetRefresh: () => {
      refreshTokens.clear();
    },
    close: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

export type Provider = Awaited<ReturnType<typeof start>>;
