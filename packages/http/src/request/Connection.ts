import { Option, Result } from "effect";
import type { HttpServerRequest } from "effect/http";
import { IpNetwork, NetAddress } from "effect/net";

/** The origin of a request: its peer, or the client that trusted proxies report. */

/** The address of a client that cannot be known. */
export const unknown = "unknown";

interface Address {
  readonly ip: NetAddress.IpAddress;
  /** The canonical form: an IPv4-mapped IPv6 address is IPv4. */
  readonly text: string;
}

const parse = (text: string): Address | undefined =>
  Result.getOrUndefined(
    Result.map(NetAddress.ipFromString(text.trim()), (parsed) => {
      const ip = NetAddress.toCanonical(parsed);
      return { ip, text: NetAddress.formatIp(ip) };
    }),
  );

/** Parsed addresses. Connections are reused, and parsing was 3 % of the time of a small request. */
const parsed = new Map<string, Address>();
const mostParsed = 4_096;

const addressOf = (text: string | undefined): Address | undefined => {
  if (text === undefined) return undefined;
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const address = parse(text);
  if (parsed.size >= mostParsed) parsed.clear();
  if (address !== undefined) parsed.set(text, address);
  return address;
};

const network = (text: string): Option.Option<IpNetwork.IpNetwork> => {
  const [ip, prefix] = text.split("/");
  return Result.getSuccess(
    Result.flatMap(NetAddress.ipFromString(ip ?? ""), (address) =>
      IpNetwork.fromAddress(
        address,
        prefix === undefined ? NetAddress.width(address) : Number(prefix),
      ),
    ),
  );
};

/** Whether the connection itself is encrypted. A request line may contain any URL, so it proves nothing. */
const isEncrypted = ({ originalUrl, source }: HttpServerRequest.HttpServerRequest): boolean => {
  if (!("socket" in source)) return originalUrl.startsWith("https:");
  const { socket } = source as { readonly socket: { readonly encrypted?: boolean } | null };
  return socket?.encrypted === true;
};

const isForwarded = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  Object.keys(headers).some((name) => name === "forwarded" || name.startsWith("x-forwarded-"));

/** Whether many clients may share an address: loopback addresses and trusted proxies. */
export const shares = (trustedProxies: ReadonlyArray<string>) => {
  const networks = trustedProxies.flatMap((text) => Option.toArray(network(text)));
  return (text: string | undefined): boolean => {
    const ip = addressOf(text)?.ip;
    return (
      ip === undefined ||
      NetAddress.isLoopback(ip) ||
      networks.some((trusted) => IpNetwork.contains(trusted, ip))
    );
  };
};

/** Reads the origin of requests behind the trusted proxies. */
export const make = (trustedProxies: ReadonlyArray<string>) => {
  const networks = trustedProxies.flatMap((text) => Option.toArray(network(text)));
  const isTrusted = (address: Address | undefined): boolean =>
    address !== undefined && networks.some((network) => IpNetwork.contains(network, address.ip));
  const peer = (request: HttpServerRequest.HttpServerRequest) =>
    addressOf(Option.getOrUndefined(request.peerAddress));
  const byProxy = (request: HttpServerRequest.HttpServerRequest) =>
    networks.length > 0 && isTrusted(peer(request));

  /** Whether the client uses HTTPS, to this server or to a trusted proxy. */
  const isSecure = (request: HttpServerRequest.HttpServerRequest): boolean =>
    isEncrypted(request) ||
    (byProxy(request) && request.headers["x-forwarded-proto"]?.trim() === "https");

  return {
    isSecure,
    /** Whether no third party can read the connection: HTTPS, or a client on this machine without a proxy. */
    isConfidential: (request: HttpServerRequest.HttpServerRequest): boolean => {
      if (isSecure(request)) return true;
      const client = peer(request);
      return (
        client !== undefined &&
        NetAddress.isLoopback(client.ip) &&
        !isTrusted(client) &&
        !isForwarded(request)
      );
    },
    /** The address of the client: the last address that does not belong to a trusted proxy. */
    clientAddress: (request: HttpServerRequest.HttpServerRequest): string => {
      let client = peer(request);
      if (networks.length > 0) {
        const hops = (request.headers["x-forwarded-for"] ?? "").split(",");
        while (isTrusted(client) && hops.length > 0) client = addressOf(hops.pop()) ?? client;
      }
      return client?.text ?? unknown;
    },
  };
};
