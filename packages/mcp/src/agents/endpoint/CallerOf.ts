import { Principal, type Run, RunEnd, type Workers } from "@quartermaster/core";
import { Context, Predicate } from "effect";
import type { CallingWorker } from "../toolbox/ServiceTool.ts";
import type { EndpointRequest } from "./EndpointRequest.ts";
import { unknownClient } from "./SessionId.ts";

/**
 * The caller of a message. The first of these that exists identifies it: the run in
 * `Quartermaster-Run` or `_meta`, the name in `Quartermaster-Worker`, the name in `_meta`, the
 * session, the key. A name is known within its key only. Several processes may share a key.
 */

/** The parts of a request that identify a worker. */
export interface Origin {
  readonly keyId: string;
  readonly runId: string | null;
  readonly workerName: string | null;
  readonly sessionId: string | null;
  readonly toolMode: EndpointRequest["toolMode"];
}

export const originOf = ({ headers, keyId, toolMode }: EndpointRequest): Origin => ({
  keyId,
  toolMode,
  // Some hosts cannot omit a header and send it empty.
  runId: headers["quartermaster-run"] || null,
  workerName: headers["quartermaster-worker"] || null,
  sessionId: headers["mcp-session-id"] ?? null,
});

/** The host refuses a header with another form. A name in `_meta` with another form counts as missing. */
const name = /^[A-Za-z0-9._:-]{1,64}$/;

const runOf = (meta: Readonly<Record<string, unknown>> | undefined): string | null => {
  const run = meta?.["quartermaster/run"];
  return typeof run === "string" && run !== "" ? run : null;
};

const clientOf = (info: unknown): string | null => {
  if (!Predicate.isReadonlyObject(info)) return null;
  const { name: program, version } = info;
  // A session that was rebuilt after a restart has no name of its client.
  if (typeof program !== "string" || program === "" || program === unknownClient) return null;
  return (typeof version === "string" ? `${program}/${version}` : program).slice(0, 200);
};

/**
 * The process that sends a message with this envelope, or in a session with this client. The service's own programs
 * name themselves, their machine and their process in `User-Agent`; other clients often name only their runtime there.
 */
export const processOf = (
  process: Run.RunWorker,
  envelope: Readonly<Record<string, unknown>> | undefined,
  sessionClient: unknown,
): Run.RunWorker => {
  if (process.pid !== null) return process;
  const client =
    clientOf(envelope?.["io.modelcontextprotocol/clientInfo"]) ?? clientOf(sessionClient);
  return client === null ? process : { ...process, client };
};

/** The worker that only its session identifies. */
export const inSession = (sessionId: string): Workers.Worker => ({
  id: `session:${sessionId}`,
  runId: null,
  isShared: false,
});

/** The caller of a message with this `_meta`; null for a key that belongs to no agent. */
export const callerOf = (
  { keyId, runId, sessionId, toolMode, workerName }: Origin,
  meta: Readonly<Record<string, unknown>> | undefined,
  context: Context.Context<Principal.CurrentPrincipal>,
): CallingWorker | null => {
  const { agentId } = Context.get(context, Principal.CurrentPrincipal);
  if (agentId === null) return null;
  const given = workerName ?? meta?.["quartermaster/worker"];
  const named = typeof given === "string" && name.test(given) ? given : null;
  const caller = (worker: Workers.Worker): CallingWorker => ({
    agentId,
    toolMode,
    worker,
    workerName: named,
  });
  const run = runId ?? runOf(meta);
  if (run !== null) return caller({ id: RunEnd.workerNaming(run), runId: run, isShared: false });
  if (named !== null) return caller({ id: `name:${keyId}:${named}`, runId: null, isShared: false });
  return caller(
    sessionId === null ? { id: `key:${keyId}`, runId: null, isShared: true } : inSession(sessionId),
  );
};
