import type { Timestamp } from "../../../Timestamp.ts";
import * as Outage from "../../Outage.ts";
import { type Key, nameOf } from "./ConnectionSlot.ts";

/**
 * Agents whose own process of a server is out, on this node. Only their calls are refused until the
 * next attempt, and the first call after that is the attempt. The status of the server and the
 * processes of other agents do not change.
 */
export class AgentOutages {
  readonly #outages = new Map<string, { readonly key: Key; readonly outage: Outage.Outage }>();

  /** Null if the agent's process is not out. */
  get(key: Key): Outage.Outage | null {
    if (this.#outages.size === 0) return null;
    const entry = this.#outages.get(nameOf(key));
    return entry?.key.generation === key.generation ? entry.outage : null;
  }

  /** Records that the service has given up on the process, or that an attempt failed. */
  failed(key: Key, since: Timestamp, now: Timestamp, reason: string): void {
    const known = this.get(key);
    const outage =
      known === null
        ? Outage.begin({ since, now, reason, heals: true })
        : Outage.failed(Outage.tried(known, now), now, reason);
    this.#outages.set(nameOf(key), { key, outage });
  }

  /** Records that a connection was opened. */
  opened(key: Key): void {
    this.#outages.delete(nameOf(key));
  }

  /** Makes the next call of each agent an attempt. */
  forgetServer(serverId: string): void {
    for (const [name, { key }] of this.#outages) {
      if (key.serverId === serverId) this.#outages.delete(name);
    }
  }
}
