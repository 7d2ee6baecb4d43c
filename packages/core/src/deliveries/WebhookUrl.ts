import { embedsIpv4, reachOfHost } from "../Addresses.ts";

/** The rules for a webhook's URL. */
export interface UrlRules {
  readonly local: boolean;
  readonly ownPorts: ReadonlySet<number>;
}

export const portOf = (url: URL): number =>
  url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);

/**
 * Returns why a webhook may not have this URL; null if it may. The addresses of a name are checked when it is
 * resolved, at each attempt. `localSetting` names the setting that allows this machine.
 */
export const problemOf = (text: string, rules: UrlRules, localSetting: string): string | null => {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "must be an https URL, such as https://example.com/hooks";
  }
  if (url.protocol === "http:" && !rules.local) {
    return `must be an https URL; ${localSetting} also allows http`;
  }
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  if (text.includes("#")) return "must not have a fragment";
  if (embedsIpv4(url.hostname)) {
    return "must not be an IPv6 address that contains an IPv4 address; use the IPv4 address";
  }
  const reach = reachOfHost(url);
  if (reach === "private") return "must not be an address of a private network";
  if (reach !== "loopback") return null;
  if (!rules.local) return `must not be on this machine; ${localSetting} allows it`;
  return rules.ownPorts.has(portOf(url)) ? "must not be this service itself" : null;
};

/** The URL without what may be secret: everything after the first segment of the path. */
export const shown = (text: string): string => {
  const url = new URL(text);
  const [, first = "", ...rest] = url.pathname.split("/");
  const more = rest.length === 0 ? "" : "/…";
  return `${url.origin}/${first}${more}${url.search === "" ? "" : "?…"}`;
};
