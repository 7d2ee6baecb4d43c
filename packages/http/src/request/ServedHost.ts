import { Option } from "effect";
import type { HttpServerRequest } from "effect/http";
import type { HttpSettings } from "../HttpOptions.ts";
import type * as Connection from "./Connection.ts";

/**
 * Whether the text is a host name or IP address with an optional port: `quartermaster`,
 * `[::1]:7420`.
 */
export const isHost = (text: string): boolean =>
  /^([a-z0-9]([a-z0-9_.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(text) &&
  hostUrl(text) !== null;

/** Parses the name or address and the port of a `Host` header. */
const hostUrl = (host: string | undefined): URL | null =>
  host === undefined || /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}`);

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

/** The local address of the connection, as written in a URL. */
const localAddress = ({ source }: HttpServerRequest.HttpServerRequest): string | null => {
  if (!("socket" in source)) return null;
  const { socket } = source as { readonly socket: { readonly localAddress?: string } | null };
  const address = socket?.localAddress?.replace(/^::ffff:(?=\d+\.)/, "");
  if (address === undefined) return null;
  return address.includes(":") ? `[${address}]` : address;
};

/**
 * Checks `Host` and `Origin`. `Host` has to be a name that the server is served at: of the public
 * URL, of its listening address, an allowed host or a loopback name. `Origin`, if present, has to
 * be an origin of the server or an allowed one. The check stops DNS rebinding.
 */
export const make = (options: {
  readonly connection: ReturnType<typeof Connection.make>;
  readonly settings: Pick<HttpSettings, "allowedHosts" | "allowedOrigins" | "host" | "publicUrl">;
}) => {
  const { connection, settings } = options;
  const { allowedHosts, allowedOrigins, publicUrl } = settings;
  const publicHost = Option.getOrNull(
    Option.map(Option.fromNullishOr(publicUrl), (url) => new URL(url).host),
  );
  const listened = hostUrl(settings.host ?? undefined)?.hostname;
  /** Allowed hosts in the form of `Host`. A host without a port is allowed at every port. */
  const allowed = new Set(allowedHosts.map((name) => hostUrl(name)?.host));
  /** The previous `Host` and its URL: nearly all requests have the same host. */
  let last: { readonly host: string | undefined; readonly url: URL | null } | undefined;

  return (request: HttpServerRequest.HttpServerRequest): boolean => {
    const { host, origin } = request.headers;
    if (last === undefined || last.host !== host) last = { host, url: hostUrl(host) };
    if (last.url === null) return false;
    const { host: authority, hostname } = last.url;
    const isOwn =
      isLoopback(hostname) ||
      host?.toLowerCase() === publicHost ||
      allowed.has(authority) ||
      allowed.has(hostname) ||
      hostname === listened ||
      hostname === localAddress(request);
    if (!isOwn) return false;
    const scheme = connection.isSecure(request) ? "https" : "http";
    return (
      origin === undefined ||
      origin === publicUrl ||
      origin === `${scheme}://${host}` ||
      allowedOrigins.includes(origin)
    );
  };
};
