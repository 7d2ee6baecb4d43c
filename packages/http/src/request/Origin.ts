import type { RequestOrigin } from "@quartermaster/core";
import type { HttpServerRequest } from "effect/http";

/** The process that sends a request, as it names itself. */

export const header = "quartermaster-worker";

const name = /^[A-Za-z0-9._:-]{16,64}$/;

/** The origin of a request with this key. A name that is not well-formed counts as missing. */
export const of = (
  { headers }: HttpServerRequest.HttpServerRequest,
  keyId: string,
): RequestOrigin.RequestOrigin => {
  const worker = headers[header];
  return { keyId, worker: worker !== undefined && name.test(worker) ? worker : null };
};
