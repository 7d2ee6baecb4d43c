import { Schema } from "effect";
import * as Timestamp from "../Timestamp.ts";

/**
 * The reason of a server's outage, and the time of its next retry. A server that was enabled before
 * is retried automatically after 30 s, 1, 2, 4 and 5 minutes, and then every 5 minutes. Its first
 * success on any node ends the outage.
 */
export const Outage = Schema.Struct({
  since: Timestamp.Timestamp.annotateKey({
    description: "When the server first failed. It has not worked since.",
  }),
  reason: Schema.String.annotateKey({ description: "The reason of the last failure." }),
  attempts: Schema.Int.annotateKey({
    description: "The number of automatic retries since then.",
  }),
  retryAt: Schema.NullOr(Timestamp.Timestamp).annotateKey({
    description:
      "When the service retries automatically; null for a server that was not enabled, which a person has to verify or enable.",
  }),
}).annotate({
  identifier: "Outage",
  description: "The start and reason of a server's status `error`, and the time of the next retry.",
});
export interface Outage extends Schema.Schema.Type<typeof Outage> {}

/** Returns whether agents have the server's tools. An outage removes no tool from their lists. */
export const isOffered = ({
  formerStatus,
  status,
}: {
  readonly formerStatus: string | null;
  readonly status: string;
}): boolean => status === "enabled" || (status === "error" && formerStatus === "enabled");

const firstDelaySeconds = 30;
const longestDelaySeconds = 300;
/** A retry time that is further away than this was written by a clock that was ahead. */
const furthestSeconds = longestDelaySeconds + 60;

/** The delay after this number of attempts. */
export const delaySeconds = (attempts: number): number =>
  Math.min(firstDelaySeconds * 2 ** attempts, longestDelaySeconds);

export const begin = (failure: {
  readonly since: Timestamp.Timestamp;
  readonly now: Timestamp.Timestamp;
  readonly reason: string;
  /** Whether the service retries automatically. */
  readonly heals: boolean;
}): Outage => ({
  since: failure.since,
  reason: failure.reason,
  attempts: 0,
  retryAt: failure.heals ? Timestamp.addSeconds(failure.now, delaySeconds(0)) : null,
});

/**
 * The outage after an attempt starts. The attempt counts, and the next one follows even if this one
 * never ends.
 */
export const tried = (outage: Outage, now: Timestamp.Timestamp): Outage => ({
  ...outage,
  attempts: outage.attempts + 1,
  retryAt: Timestamp.addSeconds(now, delaySeconds(outage.attempts + 1)),
});

/** The outage after its attempt failed: the delay starts at the end of the attempt. */
export const failed = (outage: Outage, now: Timestamp.Timestamp, reason: string): Outage => ({
  ...outage,
  reason,
  retryAt: Timestamp.addSeconds(now, delaySeconds(outage.attempts)),
});

/**
 * The outage of a server that was changed: the service retries immediately, and the delays start
 * again.
 */
export const changed = (outage: Outage | null, now: Timestamp.Timestamp): Outage | null =>
  outage === null || outage.retryAt === null ? outage : { ...outage, attempts: 0, retryAt: now };

/** Milliseconds until the next retry; 0 if it is due. */
export const millisLeft = (retryAt: Timestamp.Timestamp, now: number): number => {
  const left = Date.parse(retryAt) - now;
  return left > furthestSeconds * 1_000 ? 0 : Math.max(0, left);
};

/**
 * The start of an outage, and the time of the next retry; null if the next call is the retry, or if
 * there is none.
 */
export const Retry = Schema.Struct({
  since: Timestamp.Timestamp,
  retryAt: Schema.NullOr(Timestamp.Timestamp),
});
export interface Retry extends Schema.Schema.Type<typeof Retry> {}

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

const lengthOf = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  const [unit, size] = units.find(([, size]) => whole >= 2 * size) ?? ["s", 1];
  return `${Math.floor(whole / size)} ${unit}`;
};

/** "not reachable since 2026-11-22T12:03:10Z (40 s); it is tried again at 2026-11-22T12:03:40Z (in 12 s)" */
export const describe = ({ retryAt, since }: Retry, now: Timestamp.Timestamp): string => {
  const lasted = lengthOf(Timestamp.secondsBetween(since, now));
  return `not reachable since ${Timestamp.toTheSecond(since)} (${lasted}); it is tried again ${again(retryAt, now)}`;
};

const again = (retryAt: Timestamp.Timestamp | null, now: Timestamp.Timestamp): string => {
  if (retryAt === null) return "with the next call";
  const left = Timestamp.secondsBetween(now, retryAt);
  return left <= 0 ? "now" : `at ${Timestamp.toTheSecond(retryAt)} (in ${lengthOf(left)})`;
};
