import { Redacted } from "effect";
import { type CatalogEntry, isStdio, variablesIn } from "../CatalogEntry.ts";
import type { Target } from "../McpConnector.ts";
import type { Values } from "../values/Values.ts";

/**
 * The rules for access tokens in requests: which servers get one, where it may go, and in which
 * header.
 */

/** Returns whether the server is remote and its entry contains no other credentials. */
export const takesToken = ({ manifest }: CatalogEntry, values: Values): boolean => {
  if (isStdio(manifest) || /^https?:\/\/[^/?#]*@/.test(manifest.url)) return false;
  const header = Object.entries(manifest.headers).find(([name]) => isAuthorization(name))?.[1];
  const isEmpty = (name: string) => {
    const value = values.get(name);
    return value === undefined || Redacted.value(value) === "";
  };
  return header === undefined || variablesIn(header).some(isEmpty);
};

const isAuthorization = (name: string): boolean => name.toLowerCase() === "authorization";

/** The only origin that may receive a token. */
export const originOf = ({ url }: Exclude<Target, { readonly transport: "stdio" }>): string =>
  URL.parse(Redacted.value(url))?.origin ?? "null";

/** The target with the token as its `Authorization` header, which replaces the entry's. */
export const withToken = (target: Target, token: Redacted.Redacted<string> | null): Target => {
  if (target.transport === "stdio" || token === null) return target;
  const headers = Object.entries(target.headers).filter(([name]) => !isAuthorization(name));
  const authorization = Redacted.make(`Bearer ${Redacted.value(token)}`);
  return { ...target, headers: { ...Object.fromEntries(headers), authorization } };
};

/** Advice for a server that requires authorization. */
export const advice = "The server must be authorized before it can be used.";
