import { Context } from "effect";

/**
 * The network address and the `User-Agent` of the client that made the current call; null in process.
 * A host provides them.
 */
export const CurrentClient = Context.Reference<{
  readonly address: string | null;
  readonly userAgent: string | null;
}>("@quartermaster/core/access/CurrentClient", {
  defaultValue: () => ({ address: null, userAgent: null }),
});
