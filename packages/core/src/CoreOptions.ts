import { Context, type Redacted } from "effect";

/** Limits that a host may set. */
export const CoreOptions = Context.Reference<{
  /** Links that an issue may have, at both ends together. */
  readonly maxLinks: number;
  /** Bytes that an attachment may have. */
  readonly maxAttachmentBytes: number;
  /** Days that events are kept. */
  readonly eventDays: number;
  /** A key of the host's own choice, taken whole: an Owner's while it is set. */
  readonly adminKey: Redacted.Redacted<string> | null;
}>("@quartermaster/core/CoreOptions", {
  defaultValue: () => ({
    maxLinks: 10_000,
    maxAttachmentBytes: 25 * 1024 * 1024,
    eventDays: 30,
    adminKey: null,
  }),
});
