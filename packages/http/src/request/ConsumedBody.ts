import type { HttpServerRequest } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Refused from "./Refused.ts";

/**
 * Detects bodies that a parser of the host has already read. Waiting for their bytes would never
 * end.
 */

/** Node's streams have `readableDidRead`, the platform's requests have `bodyUsed`. */
interface Source {
  readonly readableDidRead?: boolean;
  readonly bodyUsed?: boolean;
}

export const isConsumed = ({ source }: HttpServerRequest.HttpServerRequest): boolean => {
  const { bodyUsed, readableDidRead } = source as Source;
  return readableDidRead === true || bodyUsed === true;
};

export const refused = Refused.from(
  new Problem.Internal({
    detail:
      "The host read the body before Quartermaster could. Mount Quartermaster before body parsers such as `express.json()`.",
  }),
);
