import { type Client, isProblem, type Run } from "@quartermaster/client";
import { useEffect, useState } from "react";
import { useData } from "./live/data.ts";
import { LogLines } from "./logLines.ts";

/** The log of a run, read as it grows. */

export interface Log {
  /** Grows in place: `version` tells whether it did. */
  readonly log: LogLines;
  readonly version: number;
  /** The number of entries that the service dropped because of a limit. */
  readonly dropped: number;
  /** Whether the run has ended and everything was read. */
  readonly isComplete: boolean;
  readonly error: unknown;
}

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 2_000);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Waits until the page is visible, or the signal aborts. */
const visible = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (document.visibilityState === "visible") return resolve();
    const over = new AbortController();
    const done = () => {
      over.abort();
      resolve();
    };
    document.addEventListener("visibilitychange", done, { signal: over.signal });
    signal.addEventListener("abort", done, { signal: over.signal });
  });

/**
 * Calls `read` once the page is visible, with a signal that aborts when it is hidden; resolves to null then. A browser has
 * six connections per server: hidden tabs that wait for entries would take them all.
 */
const whileVisible = async <Page>(
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<Page>,
): Promise<Page | null> => {
  await visible(signal);
  const hidden = new AbortController();
  const onChange = () => hidden.abort();
  document.addEventListener("visibilitychange", onChange);
  try {
    return await read(AbortSignal.any([signal, hidden.signal]));
  } catch (error) {
    if (hidden.signal.aborted) return null;
    throw error;
  } finally {
    document.removeEventListener("visibilitychange", onChange);
  }
};

/** Reads a log until the run has ended, and reports every page. */
const follow = async (
  api: Client,
  { agentId, id: runId }: Pick<Run, "id" | "agentId">,
  signal: AbortSignal,
  report: (log: Omit<Log, "version">) => void,
): Promise<void> => {
  const log = new LogLines();
  let after = 0;
  let dropped = 0;
  while (!signal.aborted) {
    try {
      const page = await whileVisible(signal, (visibleSignal) =>
        api.runs.readLog(
          { agentId, runId, after, limit: 5_000, waitSeconds: 25 },
          { signal: visibleSignal },
        ),
      );
      if (page === null) continue;
      after = page.next;
      dropped = page.dropped;
      for (const entry of page.entries) log.add(entry);
      const isComplete = page.ended && page.entries.length === 0;
      report({ log, dropped, isComplete, error: null });
      if (isComplete) return;
    } catch (error) {
      if (signal.aborted) return;
      report({ log, dropped, isComplete: false, error });
      if (isProblem(error, "not-found")) return;
      await pause(signal);
    }
  }
};

const none: Log = { log: new LogLines(), version: 0, dropped: 0, isComplete: false, error: null };

export const useRunLog = (run: Pick<Run, "id" | "agentId"> | undefined): Log => {
  const { api } = useData();
  const [found, setFound] = useState<{ readonly runId: string | undefined; readonly log: Log }>();
  const id = run?.id;
  const agentId = run?.agentId;
  useEffect(() => {
    if (id === undefined || agentId === undefined) return undefined;
    const controller = new AbortController();
    let version = 0;
    void follow(api, { id, agentId }, controller.signal, (next) => {
      version += 1;
      setFound({ runId: id, log: { ...next, version } });
    });
    return () => controller.abort();
  }, [api, id, agentId]);
  return found?.runId === id ? (found?.log ?? none) : none;
};
