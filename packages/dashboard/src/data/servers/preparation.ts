import type { Event } from "@quartermaster/client";
import { useSyncExternalStore } from "react";
import { onEvents } from "../live/live.ts";

/**
 * What happens to a server after a verify, an enable or an update, by this page's commands and the events:
 *
 * - `verifying`: this page started a verify, which connects now;
 * - `preparing`: the package is fetched, or the program is looked for;
 * - `failed`: the preparation failed.
 *
 * The result of a verify, and any change of the server, ends it.
 */
export interface Preparation {
  readonly state: "verifying" | "preparing" | "failed";
  /** Whether a verify of this page waits for it. */
  readonly isVerify: boolean;
  /** `name@version`; null for a program of the host, and while it is not known. */
  readonly package: string | null;
  /** Why it failed; null otherwise. */
  readonly reason: string | null;
  readonly since: string;
}

let preparations: ReadonlyMap<string, Preparation> = new Map();
const listeners = new Set<() => void>();

const set = (changed: ReadonlyMap<string, Preparation>) => {
  preparations = changed;
  for (const listener of listeners) listener();
};

const text = (value: unknown) => (typeof value === "string" ? value : null);

const ends = /^mcp\.(verified|updated|failed|recovered|toolsChanged|disabled|uninstalled)$/;

/** The state after an event; undefined for an unrelated event. */
const next = (
  { createdAt, data, kind }: Event,
  before: Preparation | undefined,
): Preparation | null | undefined => {
  if (ends.test(kind)) return null;
  if (kind !== "mcp.preparing" && kind !== "mcp.prepared") return undefined;
  const isVerify = before?.isVerify === true;
  const fields = { isVerify, package: text(data["package"]), since: createdAt, reason: null };
  if (kind === "mcp.preparing") return { ...fields, state: "preparing" };
  if (data["status"] === "error") {
    return { ...fields, state: "failed", reason: text(data["details"]) };
  }
  return isVerify ? { ...fields, state: "verifying" } : null;
};

onEvents((events) => {
  const changed = new Map(preparations);
  let isChanged = false;
  for (const event of events) {
    const preparation = next(event, changed.get(event.subjectId));
    if (preparation === undefined) continue;
    isChanged = true;
    if (preparation === null) changed.delete(event.subjectId);
    else changed.set(event.subjectId, preparation);
  }
  if (isChanged) set(changed);
});

/** This page starts a verify. */
export const startVerify = (serverId: string): void =>
  set(
    new Map(preparations).set(serverId, {
      state: "verifying",
      isVerify: true,
      package: null,
      reason: null,
      since: new Date().toISOString(),
    }),
  );

/** The verify was refused. */
export const endVerify = (serverId: string): void => {
  const changed = new Map(preparations);
  changed.delete(serverId);
  set(changed);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What happens to the server now; null for nothing. */
export const usePreparation = (serverId: string): Preparation | null =>
  useSyncExternalStore(subscribe, () => preparations.get(serverId) ?? null);
