import { Principal, RunEnd } from "@quartermaster/core";
import { Context } from "effect";
import type { CallingWorker } from "../toolbox/ServiceTool.ts";
import type { EndpointRequest } from "./EndpointRequest.ts";

/**
 * The caller of a message. The first of these that exists identifies it: the run in
 * `Quartermaster-Run` or `_meta`, the worker in `_meta`, the session, the key. Several processes
 * may share a key.
 */

/** The parts of a request that identify a worker. */
export interface Origin {
  readonly keyId: string;
  readonly runId: string | null;
  readonly sessionId: string | null;
  readonly toolMode: EndpointRequest["toolMode"];
}

export const originOf = ({ headers, keyId, toolMode }: EndpointRequest): Origin => ({
  keyId,
  toolMode,
  // Some hosts cannot omit a header and send it empty.
  runId: headers["quartermaster-run"] || null,
  sessionId: headers["mcp-session-id"] ?? null,
});

const named = /^[A-Za-z0-9_-]{1,64}$/;

const runOf = (meta: Readonly<Record<string, unknown>> | undefined): string | null => {
  const run = meta?.["quartermaster/run"];
  return typeof run === "string" && run !== "" ? run : null;
};

/** The caller of a message with this `_meta`; null for a key that belongs to no agent. */
export const callerOf = (
  { keyId, runId, sessionId, toolMode }: Origin,
  meta: Readonly<Record<string, unknown>> | undefined,
  context: Context.Context<Principal.CurrentPrincipal>,
): CallingWorker | null => {
  const { agentId } = Context.get(context, Principal.CurrentPrincipal);
  if (agentId === null) return null;
  const worker = (id: string, run: string | null = null, isShared = false) => ({
    agentId,
    toolMode,
    worker: { id, runId: run, isShared },
  });
  const run = runId ?? runOf(meta);
  if (run !== null) return worker(RunEnd.workerNaming(run), run);
  const given = meta?.["quartermaster/worker"];
  if (typeof given === "string" && named.test(given)) return worker(`meta:${given}`);
  return sessionId === null ? worker(`key:${keyId}`, null, true) : worker(`session:${sessionId}`);
};
