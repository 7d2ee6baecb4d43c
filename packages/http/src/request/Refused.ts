import { HttpServerResponse } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Refusal from "../api/Refusal.ts";

/** Problems as responses: `application/problem+json`, with the headers that belong to them. */

/** A response that says what a problem says; what middleware fails with. */
export type Refused = HttpServerResponse.HttpServerResponse;

const contentType = "application/problem+json";

const headersOf = (status: number): Record<string, string> => {
  if (status === 401) return { "www-authenticate": "Bearer" };
  return status === 429 || status === 503 ? { "retry-after": "1" } : {};
};

/** The response of a problem. `Retry-After` of a 429 or 503 is 1 second by default. */
export const from = (
  { detail, status, title, type, ...members }: Refusal.AnyProblem,
  headers: Record<string, string> = {},
): Refused =>
  HttpServerResponse.text(JSON.stringify({ type, title, status, detail, ...members }), {
    status,
    contentType,
    headers: { ...headersOf(status), ...headers },
  });

/** The response to a method that the path does not have. `allow`: its methods. */
export const otherMethod = (allow: string): Refused =>
  from(
    new Problem.MethodNotAllowed({
      detail: `The path does not support this method. Use one of ${allow}.`,
    }),
    {
      allow,
    },
  );

/** The response of a refusal of core's. */
export const because = (refusal: Refusal.Refusal): Refused => from(Refusal.toProblem(refusal));

/**
 * The response of an error that only HTTP knows, such as 416 or 431: the problem
 * `invalid-request` under that status.
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

/** Whether a response says what a problem says. */
export const isProblem = (response: HttpServerResponse.HttpServerResponse): boolean =>
  response.body._tag === "Uint8Array" && response.body.contentType === contentType;
