import { Context } from "effect";

/** Where a request comes from. It gives no right: records of calls name it. */
export interface RequestOrigin {
  /** The key of the request; null for a call by the host itself. */
  readonly keyId: string | null;
  /** The process that sent the request, as it names itself; null if unknown. */
  readonly worker: string | null;
}

/** The origin of the current request. A host provides it as it provides `CurrentPrincipal`. */
export const CurrentOrigin = Context.Reference<RequestOrigin>(
  "@quartermaster/core/access/RequestOrigin",
  { defaultValue: () => ({ keyId: null, worker: null }) },
);
