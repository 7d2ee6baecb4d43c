import type { Socket } from "node:net";
import type { HttpServerRequest } from "effect/http";
import type { HttpSettings } from "../HttpOptions.ts";

/**
 * The server's origin for browsers: the public URL, or else the address that it listens on. It is
 * never read from the request, because authorization codes are sent there.
 */
export const of = (
  { host, publicUrl }: Pick<HttpSettings, "host" | "publicUrl">,
  { originalUrl, source }: HttpServerRequest.HttpServerRequest,
): string => {
  if (publicUrl !== null) return publicUrl;
  const { socket } = source as { readonly socket?: Partial<Socket & { encrypted: boolean }> };
  if (socket?.localAddress === undefined)
    return URL.parse(originalUrl)?.origin ?? "http://localhost";
  const { encrypted, localAddress, localPort } = socket;
  // Browsers cannot open the wildcard address (0.0.0.0 or ::).
  const isOne = host !== null && host !== "0.0.0.0" && host !== "::";
  const name = isOne ? host : localAddress.replace(/^::ffff:(?=\d+\.)/, "");
  const authority = `${name.includes(":") ? `[${name}]` : name}:${localPort}`;
  return new URL(`${encrypted === true ? "https" : "http"}://${authority}`).origin;
};
