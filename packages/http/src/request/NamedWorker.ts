import { CurrentWorker } from "@quartermaster/core";
import { Effect } from "effect";
import type { HttpServerRequest } from "effect/http";
import * as Refused from "./Refused.ts";

/** The name of the process that sends a request, from the header `Quartermaster-Worker`. */

export const header = "quartermaster-worker";

const form = /^[A-Za-z0-9._:-]{16,64}$/;

/** The name in the header; null for none, and for one of another form. */
export const nameOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | null => {
  const name = headers[header] ?? "";
  return form.test(name) ? name : null;
};

const malformed = Refused.invalid(
  400,
  header,
  "must be 16 to 64 of the characters A-Z a-z 0-9 . _ : -",
);

/**
 * Handles a request with the name of its worker, or refuses a name that has another form. An empty header counts as
 * missing: some hosts cannot omit it.
 */
export const named = <E, R>(
  { headers }: HttpServerRequest.HttpServerRequest,
  handled: Effect.Effect<Refused.Refused, E, R>,
): Effect.Effect<Refused.Refused, E, R> => {
  const name = headers[header] || null;
  if (name === null) return handled;
  return form.test(name)
    ? Effect.provideService(handled, CurrentWorker.CurrentWorker, name)
    : Effect.succeed(malformed);
};
