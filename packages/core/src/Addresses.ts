import { Result } from "effect";
import { IpNetwork, NetAddress } from "effect/net";

/** The part of the network to which an address belongs. */
export type Reach = "loopback" | "private" | "public";

const networks = (prefixes: ReadonlyArray<string>) =>
  prefixes.map((prefix) => IpNetwork.fromStringUnsafe(prefix));

/** This host. On Linux a connection to 0.0.0.0 also reaches it. */
const loopback = networks(["127.0.0.0/8", "0.0.0.0/8", "::1/128", "::/128"]);

/** The ranges that IANA lists as not globally reachable (RFC 6890), multicast, and two more. */
const notPublic = networks([
  "10.0.0.0/8",
  "100.64.0.0/10",
  // The service of Azure that gives a virtual machine its configuration.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  // Relays to IPv4 in IPv6 (RFC 7526).
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
]);

/**
 * IPv6 addresses that are routed globally, and exceptions in that range: tunnels and documentation.
 */
const globalUnicast = networks(["2000::/3"]);
const notGlobal = networks(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** IPv4 addresses in the form in which networks without IPv4 reach them (RFC 6052). */
const translated = networks(["64:ff9b::/96"]);

const contains = (prefixes: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress) =>
  prefixes.some((prefix) => IpNetwork.contains(prefix, address));

const ipv4In = (address: NetAddress.Ipv6Address): NetAddress.IpAddress =>
  NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(NetAddress.ipv6ToOctets(address).slice(12)));

/** The reach of an address in text, IPv6 with or without brackets; null if it is not an address. */
export const reachOf = (text: string): Reach | null => {
  const parsed = NetAddress.ipFromString(text.replace(/^\[(.*)\]$/, "$1"));
  if (Result.isFailure(parsed)) return null;
  return reach(NetAddress.toCanonical(parsed.success));
};

const reach = (address: NetAddress.IpAddress): Reach => {
  if (contains(loopback, address)) return "loopback";
  if (NetAddress.isIpv4Address(address)) {
    return contains(notPublic, address) ? "private" : "public";
  }
  if (contains(translated, address)) return reach(ipv4In(address));
  return contains(globalUnicast, address) && !contains(notGlobal, address) ? "public" : "private";
};

/** Whether a name is this host's by definition (RFC 6761). */
export const isLocalhost = (hostname: string): boolean => /^(?:.+\.)?localhost\.?$/i.test(hostname);

/** IPv6 ranges whose addresses contain an IPv4 address: mapped, compatible, translated, 6to4 and Teredo. */
const embedding = networks([
  "::ffff:0:0/96",
  "::/96",
  "::ffff:0:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2002::/16",
  "2001::/32",
]);

/** Whether a text is an IPv6 address that contains an IPv4 address. `::` and `::1` do not. */
export const embedsIpv4 = (text: string): boolean => {
  const parsed = NetAddress.ipFromString(text.replace(/^\[(.*)\]$/, "$1"));
  if (Result.isFailure(parsed) || NetAddress.isIpv4Address(parsed.success)) return false;
  return contains(embedding, parsed.success) && !contains(loopback, parsed.success);
};

/** Networks that an organization numbers itself (RFC 1918, RFC 6598, RFC 4193). */
const organizations = networks([
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "fc00::/7",
]);

/** Services with credentials for the machine that asks, in ranges of organizations. */
const metadata = networks(["fd00:ec2::254/128", "100.100.100.200/32", "fd20:ce::254/128"]);

/** Whether an address is in a network of an organization, and does not belong to a metadata service. */
export const isOfOrganization = (text: string): boolean => {
  const parsed = NetAddress.ipFromString(text.replace(/^\[(.*)\]$/, "$1"));
  return (
    Result.isSuccess(parsed) &&
    contains(organizations, parsed.success) &&
    !contains(metadata, parsed.success)
  );
};

/**
 * The reach of a URL's host as far as its text determines it; null for a name that must be
 * resolved.
 */
export const reachOfHost = ({ hostname }: URL): Reach | null =>
  isLocalhost(hostname) ? "loopback" : reachOf(hostname);
