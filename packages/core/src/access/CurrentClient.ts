import { Context } from "effect";

/** The network address and the `User-Agent` of a client. */
export interface Client {
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** The client that made the current call; its fields are null in process. A host provides it. */
export const CurrentClient = Context.Reference<Client>("@quartermaster/core/access/CurrentClient", {
  defaultValue: () => ({ address: null, userAgent: null }),
});
