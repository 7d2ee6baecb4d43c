import type { Bulk } from "@quartermaster/core";
import { HttpServerResponse } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Refusal from "../api/Refusal.ts";

/** Problems as `application/problem+json` responses with their headers. */

/** A response that carries a problem. Middleware fails with it. */
export type Refused = HttpServerResponse.HttpServerResponse;

const contentType = "application/problem+json";

const headersOf = (status: number): Record<string, string> => {
  if (status === 401) return { "www-authenticate": "Bearer" };
  return status === 429 || status === 503 ? { "retry-after": "1" } : {};
};

/** The document of a problem. */
export const documentOf = ({
  detail,
  status,
  title,
  type,
  ...members
}: Refusal.AnyProblem): NonNullable<Bulk.BulkResult["problem"]> => ({
  type,
  title,
  status,
  detail,
  ...members,
});

/** Builds the response of a problem. `Retry-After` of a 429 or 503 is 1 second by default. */
export const from = (problem: Refusal.AnyProblem, headers: Record<string, string> = {}): Refused =>
  HttpServerResponse.text(JSON.stringify(documentOf(problem)), {
    status: problem.status,
    contentType,
    headers: { ...headersOf(problem.status), ...headers },
  });

/** The 405 response. `allow` lists the methods of the path. */
export const otherMethod = (allow: string): Refused =>
  from(
    new Problem.MethodNotAllowed({
      detail: `The path does not support this method. Use one of ${allow}.`,
    }),
    {
      allow,
    },
  );

/** The response to a refusal of core. */
export const because = (refusal: Refusal.Refusal): Refused => from(Refusal.toProblem(refusal));

/**
 * The response to an error that exists only in HTTP, such as 416 or 431: the problem
 * `invalid-request` with that status.
 */
export const invalid = (
  status: number,
  path: string,
  message: string,
  headers: Record<string, string> = {},
): Refused =>
  HttpServerResponse.text(
    JSON.stringify({
      type: "urn:quartermaster:problem:invalid-request",
      title: "Invalid request",
      status,
      detail: Refusal.correct([{ path, message }]),
      errors: [{ path, message }],
    }),
    { status, contentType, headers },
  );

/** Whether a response carries a problem. */
export const isProblem = (response: HttpServerResponse.HttpServerResponse): boolean =>
  response.body._tag === "Uint8Array" && response.body.contentType === contentType;
