import { Clock, Context, Effect, Layer } from "effect";
import type { Permission } from "../../AccessEntry.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";

const minuteMillis = 60_000;

/** One agent's calls of one server. */
interface Usage {
  inFlight: number;
  /** The times at which calls were admitted, in milliseconds, oldest first. */
  readonly admitted: Array<number>;
}

interface Call {
  readonly agentId: string;
  /** The key of its usage; null if it is not counted. */
  countedUnder: string | null;
}

/**
 * Limits the calls of agents on this node: the number in flight, and the number within the last 60
 * seconds. Counts only calls with a limit.
 */
export class CallLimits {
  readonly #usages = new Map<string, Usage>();

  /** Admits a call once, or returns a sentence about the limit that it exceeds. */
  admit(
    call: Call,
    permission: Permission | null,
    server: Pick<InstalledServerRow, "id" | "name">,
  ): Effect.Effect<string | null> {
    if (call.countedUnder !== null || permission === null || !isLimited(permission)) {
      return Effect.succeed(null);
    }
    return Effect.map(Clock.currentTimeNanos, (nanos) => {
      const key = JSON.stringify([call.agentId, server.id]);
      const now = Number(nanos) / 1_000_000;
      const usage = this.#usages.get(key) ?? this.#add(key, now);
      const { callsPerMinute, maxConcurrentCalls } = permission;
      if (maxConcurrentCalls !== null && usage.inFlight >= maxConcurrentCalls) {
        return refusal(1, server.name, `${maxConcurrentCalls} in flight`);
      }
      if (callsPerMinute !== null) {
        const { admitted } = usage;
        const left = (admitted.at(-callsPerMinute) ?? -Infinity) + minuteMillis - now;
        if (left > 0) {
          return refusal(Math.ceil(left / 1_000), server.name, `${callsPerMinute} per minute`);
        }
        admitted.push(now);
        if (admitted.length > 2 * callsPerMinute) admitted.splice(0, callsPerMinute);
      }
      usage.inFlight += 1;
      call.countedUnder = key;
      return null;
    });
  }

  release({ countedUnder }: Call): void {
    const usage = countedUnder === null ? undefined : this.#usages.get(countedUnder);
    if (usage !== undefined) usage.inFlight -= 1;
  }

  /** Adds a usage, and removes usages that no limit needs any more. */
  #add(key: string, now: number): Usage {
    for (const [known, { admitted, inFlight }] of this.#usages) {
      const newest = admitted.at(-1) ?? -Infinity;
      if (inFlight === 0 && newest + minuteMillis <= now) this.#usages.delete(known);
    }
    const usage: Usage = { inFlight: 0, admitted: [] };
    this.#usages.set(key, usage);
    return usage;
  }
}

const isLimited = ({ callsPerMinute, maxConcurrentCalls }: Permission): boolean =>
  callsPerMinute !== null || maxConcurrentCalls !== null;

const refusal = (seconds: number, server: string, limit: string): string =>
  `The call was not sent; it is safe to repeat after ${seconds} s. The agent's calls of the server ${server} are limited to ${limit}.`;

/** The limits that calls and reads share. */
export class SharedCallLimits extends Context.Service<SharedCallLimits, CallLimits>()(
  "@quartermaster/core/mcp/gateway/internal/SharedCallLimits",
) {
  static readonly layer = Layer.sync(SharedCallLimits, () => new CallLimits());
}
