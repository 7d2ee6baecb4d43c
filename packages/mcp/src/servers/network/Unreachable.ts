import { TransportFailure } from "../session/Failure.ts";
import { PrivateAddress } from "./RemoteFetch.ts";

/** Failures before the request was sent, by error code. */
const unsent: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "its name is unknown",
  EAI_AGAIN: "its name could not be resolved",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to its network",
  ETIMEDOUT: "connecting timed out",
  UND_ERR_CONNECT_TIMEOUT: "connecting timed out",
};

const codesOf = (error: unknown): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...own, ...inner, ...("cause" in error ? codesOf(error.cause) : [])];
};

const textOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : "";

/** The refused host name, if it caused the failure. */
export const privateAddressOf = (error: unknown): PrivateAddress | undefined =>
  error instanceof Error && error.cause instanceof PrivateAddress ? error.cause : undefined;

/**
 * The failure of a request. Names only the origin, because the rest of a URL may contain secrets.
 */
export const of = (error: unknown, origin: string): TransportFailure => {
  const refused = privateAddressOf(error);
  if (refused !== undefined) {
    const why = `${origin}: its name resolves to the private address ${refused.address}, which only names in ${refused.setting} may.`;
    return new TransportFailure("unreachable", why, false);
  }
  const codes = codesOf(error);
  const known = codes.find((code) => code in unsent);
  if (known !== undefined) {
    return new TransportFailure("unreachable", `${origin}: ${unsent[known]} (${known}).`, false);
  }
  const tls = codes.find((code) => /CERT|SSL|TLS|ISSUER|SIGNATURE|ALTNAME/.test(code));
  if (tls !== undefined) {
    return new TransportFailure(
      "unreachable",
      `${origin}: TLS failed, ${tlsReason(tls, error)}.`,
      false,
    );
  }
  const code = codes[0] === undefined ? "" : ` (${codes[0]})`;
  return new TransportFailure("unreachable", `${origin}: the connection was lost${code}.`, true);
};

const tlsReason = (code: string, error: unknown) => {
  const [line = ""] = textOf(error).split(/[\n;:]/);
  return line === "" ? code : `${line.trim()} (${code})`;
};
