import { Context, type Redacted } from "effect";

/** Limits that a host may set. */
export const CoreOptions = Context.Reference<{
  /** Links per issue, in both directions together. Default: 10,000. */
  readonly maxLinks: number;
  /** Registered agents. Default: 100,000. */
  readonly maxAgents: number;
  /**
   * Whether issues can be assigned to registered agents only. Default: false, which registers
   * unknown agents.
   */
  readonly strictAgents: boolean;
  /** Whether issues can be created in projects that exist only. Default: false. */
  readonly strictProjects: boolean;
  /** Sessions of one key that have not expired, without their tokens. Default: 1,000. */
  readonly maxSessions: number;
  /** Bytes per attachment. Default: 25 MiB. */
  readonly maxAttachmentBytes: number;
  /**
   * The number of runs of an issue that may die or fail before the issue is paused. Default: 3; 0
   * for no limit.
   */
  readonly maxAttempts: number;
  /** Days that events are retained. Default: 30. */
  readonly eventDays: number;
  /** Days that entries of the audit log are retained. Default: 400. */
  readonly auditDays: number;
  /** Days that the log of a run is retained after its end, at most as long as the run. Default: 30. */
  readonly logDays: number;
  /** Bytes of the logs of all runs. Default: 10 GiB. */
  readonly logBytes: number;
  /** Days that recorded arguments and results of calls are retained, at most 90. Default: 7. */
  readonly callBodyDays: number;
  /** Bytes of all recorded arguments and results of calls. Default: 2 GiB. */
  readonly callBodyBytes: number;
  /** A key that the host chose, compared as a whole. It acts as an Owner. Default: null. */
  readonly adminKey: Redacted.Redacted<string> | null;
}>("@quartermaster/core/CoreOptions", {
  defaultValue: () => ({
    maxLinks: 10_000,
    maxAgents: 100_000,
    strictAgents: false,
    strictProjects: false,
    maxSessions: 1_000,
    maxAttachmentBytes: 25 * 1024 * 1024,
    maxAttempts: 3,
    eventDays: 30,
    auditDays: 400,
    logDays: 30,
    logBytes: 10 * 1024 * 1024 * 1024,
    callBodyDays: 7,
    callBodyBytes: 2 * 1024 * 1024 * 1024,
    adminKey: null,
  }),
});
