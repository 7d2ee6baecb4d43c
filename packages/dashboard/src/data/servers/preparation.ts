import type { Event } from "@quartermaster/client";
import { useWatched, watched } from "../../parts/watched.ts";
import { type Data, useStore } from "../live/data.ts";

/**
 * The progress of a server after a verify, an enable or an update, derived from this page's commands and
 * from events. States:
 *
 * - `verifying`: this page started a verify, which is connecting;
 * - `preparing`: the server fetches the package or locates the program;
 * - `failed`: the preparation failed.
 *
 * The result of a verify and every other change of the server remove the progress.
 */
export interface Preparation {
  readonly state: "verifying" | "preparing" | "failed";
  /** Whether a verify that this page started waits for the preparation. */
  readonly isVerify: boolean;
  /** `name@version`; null for a program of the host, or until it is known. */
  readonly package: string | null;
  /** The reason for the failure; null if it did not fail. */
  readonly reason: string | null;
  readonly since: string;
}

const text = (value: unknown) => (typeof value === "string" ? value : null);

const ends: ReadonlySet<Event["kind"]> = new Set([
  "mcp.verified",
  "mcp.updated",
  "mcp.failed",
  "mcp.recovered",
  "mcp.toolsChanged",
  "mcp.disabled",
  "mcp.uninstalled",
]);

/** The state after an event; undefined for an unrelated event. */
const next = (
  { createdAt, data, kind }: Event,
  before: Preparation | undefined,
): Preparation | null | undefined => {
  if (ends.has(kind)) return null;
  if (kind !== "mcp.preparing" && kind !== "mcp.prepared") return undefined;
  const isVerify = before?.isVerify === true;
  const fields = { isVerify, package: text(data["package"]), since: createdAt, reason: null };
  if (kind === "mcp.preparing") return { ...fields, state: "preparing" };
  if (data["status"] === "error") {
    return { ...fields, state: "failed", reason: text(data["details"]) };
  }
  return isVerify ? { ...fields, state: "verifying" } : null;
};

export const preparationStore = (_: Data) => {
  const preparations = watched<ReadonlyMap<string, Preparation>>(new Map());
  const change = (set: (changed: Map<string, Preparation>) => void) => {
    const changed = new Map(preparations.current());
    set(changed);
    preparations.set(changed);
  };
  return {
    preparations,
    /** Records that this page starts a verify. */
    startVerify: (serverId: string): void =>
      change((changed) =>
        changed.set(serverId, {
          state: "verifying",
          isVerify: true,
          package: null,
          reason: null,
          since: new Date().toISOString(),
        }),
      ),
    /** Records that the server refused the verify. */
    endVerify: (serverId: string): void => change((changed) => changed.delete(serverId)),
    onEvents: (events: ReadonlyArray<Event>): void => {
      const changed = new Map(preparations.current());
      let isChanged = false;
      for (const event of events) {
        const preparation = next(event, changed.get(event.subjectId));
        if (preparation === undefined) continue;
        isChanged = true;
        if (preparation === null) changed.delete(event.subjectId);
        else changed.set(event.subjectId, preparation);
      }
      if (isChanged) preparations.set(changed);
    },
  };
};

/** The current progress of a server; null if there is none. */
export const usePreparation = (serverId: string): Preparation | null =>
  useWatched(useStore(preparationStore).preparations).get(serverId) ?? null;
