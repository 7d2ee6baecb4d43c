import { networkInterfaces } from "node:os";
import { Addresses } from "@quartermaster/core";

/** The addresses to which webhooks connect. */

export interface Rules {
  readonly local: boolean;
  readonly localSetting: string;
  readonly ownPorts: ReadonlySet<number>;
  readonly privateHosts: ReadonlySet<string>;
  readonly privateHostsSetting: string;
}

const isOwn = (address: string): boolean =>
  Addresses.reachOf(address) === "loopback" ||
  Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));

/** Returns why a webhook does not connect to this address of a host; null if it does. */
export const problemOf = (
  address: string,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  rules: Rules,
): string | null => {
  if (Addresses.embedsIpv4(address)) {
    return `${hostname}: ${address} is an IPv6 address that contains an IPv4 address.`;
  }
  if (rules.ownPorts.has(port) && isOwn(address)) {
    return `${hostname}: ${address} is this service itself.`;
  }
  switch (Addresses.reachOf(address)) {
    case "public":
      return null;
    case "loopback":
      return rules.local
        ? null
        : `${hostname}: ${address} is on this machine, which only ${rules.localSetting} allows.`;
    default:
      return rules.privateHosts.has(hostname.toLowerCase()) && Addresses.isOfOrganization(address)
        ? null
        : `${hostname}: ${address} is a private address, which only names in ${rules.privateHostsSetting} may have.`;
  }
};
