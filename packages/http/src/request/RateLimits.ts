import { Clock, Context, Effect, type Fiber, Layer, Result } from "effect";
import { IpNetwork, NetAddress } from "effect/net";
import { HttpOptions } from "../HttpOptions.ts";

/** The number of keys or addresses above which entries without recent requests are dropped. */
const remembered = 10_000;

/** The IPv4 address, or the /64 network of an IPv6 address: one client controls a whole /64. */
const clientOf = (address: string): string => {
  const ip = Result.getOrUndefined(NetAddress.ipFromString(address));
  return ip !== undefined && NetAddress.isIpv6Address(ip)
    ? IpNetwork.format(IpNetwork.fromAddressUnsafe(ip, 64))
    : address;
};

/** Rate limits for requests by key and for failed authentications by address, on this node. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Takes one request of a key. Returns 0, or the seconds to wait if the limit is reached. */
    take(keyId: string, now: number): number;
    /** Counts a failed authentication. Returns 0, or the seconds to wait if there were too many. */
    failed(address: string, now: number): number;
  }
>()("@quartermaster/http/request/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const { authFailureLimit, rateLimit } = yield* HttpOptions;
      const burst = rateLimit * 2;
      const buckets = new Map<string, { tokens: number; at: number }>();
      const failures = new Map<string, { count: number; since: number }>();

      /** Drops stale entries from a full map; if there are none, the oldest entry. */
      const makeRoom = <A>(map: Map<string, A>, isStale: (entry: A) => boolean) => {
        if (map.size < remembered) return;
        for (const [key, entry] of map) if (isStale(entry)) map.delete(key);
        for (const key of map.keys()) {
          if (map.size < remembered) return;
          map.delete(key);
        }
      };

      const takeAt = (keyId: string, now: number): number => {
        const bucket = buckets.get(keyId);
        if (bucket === undefined) {
          makeRoom(buckets, ({ at }) => now - at > 2_000);
          buckets.set(keyId, { tokens: burst - 1, at: now });
          return 0;
        }
        const tokens = bucket.tokens + ((now - bucket.at) / 1_000) * rateLimit;
        bucket.tokens = Math.min(burst, tokens);
        bucket.at = now;
        if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / rateLimit));
        bucket.tokens -= 1;
        return 0;
      };

      const failedAt = (address: string, now: number): number => {
        const client = clientOf(address);
        const seen = failures.get(client);
        if (seen === undefined || now - seen.since >= 60_000) {
          makeRoom(failures, ({ since }) => now - since >= 60_000);
          failures.set(client, { count: 1, since: now });
          return 0;
        }
        seen.count += 1;
        return seen.count > authFailureLimit
          ? Math.max(1, Math.ceil((seen.since + 60_000 - now) / 1_000))
          : 0;
      };

      return RateLimits.of({
        take: (keyId, now) => (rateLimit === 0 ? 0 : takeAt(keyId, now)),
        failed: (address, now) => (authFailureLimit === 0 ? 0 : failedAt(address, now)),
      });
    }),
  );
}

/** Milliseconds of a monotonic clock. If a clock could be set back, every key would have to wait. */
export const now = (fiber: Fiber.Fiber<unknown, unknown>): number =>
  Number(fiber.getRef(Clock.Clock).monotonicTimeNanosUnsafe()) / 1_000_000;
