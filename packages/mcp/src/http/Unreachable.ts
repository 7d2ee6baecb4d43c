import { TransportFailure } from "../client/Failure.ts";

/** What failed before anything was sent. */
const unsent: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name could not be looked up",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to its network",
  ETIMEDOUT: "connecting took too long",
  UND_ERR_CONNECT_TIMEOUT: "connecting took too long",
};

const codesOf = (error: unknown): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...own, ...inner, ...("cause" in error ? codesOf(error.cause) : [])];
};

const textOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : "";

/** Why a request could not be made, without what is secret in its address. */
export const of = (error: unknown, origin: string): TransportFailure => {
  const codes = codesOf(error);
  const known = codes.find((code) => code in unsent);
  if (known !== undefined) {
    return new TransportFailure("unreachable", `${origin}: ${unsent[known]} (${known}).`, false);
  }
  const tls = codes.find((code) => /CERT|SSL|TLS|ISSUER|SIGNATURE|ALTNAME/.test(code));
  if (tls !== undefined) {
    return new TransportFailure(
      "unreachable",
      `${origin}: TLS failed, ${tellTls(tls, error)}.`,
      false,
    );
  }
  const code = codes[0] === undefined ? "" : ` (${codes[0]})`;
  return new TransportFailure("unreachable", `${origin}: the connection was lost${code}.`, true);
};

const tellTls = (code: string, error: unknown) => {
  const [line = ""] = textOf(error).split(/[\n;:]/);
  return line === "" ? code : `${line.trim()} (${code})`;
};
