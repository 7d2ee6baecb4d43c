import { Effect, Option } from "effect";
import { Forbidden } from "../../../access/AccessErrors.ts";
import { IssueKeys } from "../../../access/IssueKeys.ts";
import * as Principal from "../../../access/Principal.ts";
import * as Role from "../../../access/Role.ts";
import { RunStore } from "../../../agents/RunStore.ts";
import { getOrNotFound, NotFound } from "../../../CommonErrors.ts";
import * as Span from "../../../internal/Span.ts";
import * as Page from "../../../Page.ts";
import * as Timestamp from "../../../Timestamp.ts";
import {
  type AdmittedCallRow,
  type CallFilter,
  type CallOutcome,
  failed,
  lost,
  type ToolCall,
  type ToolCallRow,
} from "../../ToolCall.ts";
import { ToolCallStore } from "../../ToolCallStore.ts";
import * as CallBodies from "./CallBodies.ts";
import { CallRecords } from "./CallRecords.ts";

/** Filters of the records of calls, and the requested page. */
export interface CallsRequest extends Page.PageRequest, CallFilter {}

/** A position after the records of all calls that have ended: admitted calls are the newest. */
const afterEnded = 900_000_000_000_000;

type Row = ToolCall & { readonly seq: number };

const ended = ({ seq, ...call }: ToolCallRow): Row => ({ ...call, seq });

/** A call is lost as soon as its time has passed: housekeeping stores that later. */
const admitted =
  (now: Timestamp.Timestamp) =>
  ({ seq, ...call }: AdmittedCallRow): Row => {
    const { until, ...record } = call;
    return { ...(until > now ? record : lost(call)), seq: afterEnded + seq };
  };

const outcomesOf = ({ outcome }: CallFilter): ReadonlyArray<CallOutcome> | undefined =>
  outcome?.flatMap((name) => (name === "failed" ? failed : [name]));

/** Reads the records of calls. */
export const make = Effect.gen(function* () {
  const store = yield* ToolCallStore;
  const runs = yield* RunStore;
  const bodies = yield* CallBodies.make;
  const { flush } = yield* CallRecords;
  const { idOf } = yield* IssueKeys;

  /** A slice of admitted and ended calls. */
  const list = Effect.fnUntraced(function* (filter: CallFilter, slice: Page.Slice) {
    const { outcome: _, ...query } = filter;
    const outcomes = outcomesOf(filter);
    const { after, limit, order } = slice;
    const sign = order === "asc" ? 1 : -1;
    const now = yield* Timestamp.now;
    const inFlight = (yield* store.admitted(query, 10_000)).map(admitted(now));
    const newest = inFlight.filter(
      ({ outcome, seq }) =>
        (after === null || (seq - after) * sign > 0) &&
        (outcomes === undefined || (outcome !== null && outcomes.includes(outcome))),
    );
    const rows = (yield* store.list({ ...query, outcomes }, slice)).map(ended);
    // Another node may have recorded the end of a call in between.
    const ids = new Set(rows.map(({ id }) => id));
    const others = newest.filter(({ id }) => !ids.has(id));
    return [...rows, ...others].toSorted((a, b) => (a.seq - b.seq) * sign).slice(0, limit);
  });

  const page = Effect.fnUntraced(function* (request: CallsRequest, name: string) {
    const { cursor, limit, order, ...filter } = request;
    yield* flush;
    const found = yield* Page.read(
      { cursor, limit, order, defaultOrder: "desc", query: [name, filter] },
      (slice) => list(filter, slice),
    );
    return Page.map(found, ({ seq: _, ...call }) => call);
  });

  const calls = Span.fn("ToolGateway.calls")(function* (request: CallsRequest = {}) {
    yield* Principal.requireUnbound("Admin");
    const { issueId } = request;
    const found = issueId === undefined ? {} : { issueId: yield* idOf(issueId) };
    return yield* page({ ...request, ...found }, "calls");
  });

  const recordOf = Span.fn("ToolGateway.recordOf")(function* (callId: string) {
    yield* Principal.requireUnbound("Admin");
    yield* flush;
    const row = yield* getOrNotFound("call", callId, store.get(callId));
    const now = yield* Timestamp.now;
    const { seq: _, ...call } = "until" in row ? admitted(now)(row) : ended(row);
    return { ...call, ...(yield* bodies.of(callId)) };
  });

  const callsOf = Span.fn("ToolGateway.callsOf")(function* (
    agentId: string,
    runId: string,
    request: Page.PageRequest = {},
  ) {
    const principal = yield* Principal.require("Viewer");
    if (principal.agentId !== null && principal.agentId !== agentId) {
      return yield* new Forbidden({ requiredRole: null });
    }
    const run = Option.getOrNull(yield* runs.get(runId));
    if (run?.agentId !== agentId || !Principal.sees(principal, run.projectId)) {
      return yield* new NotFound({ resource: "run", id: runId });
    }
    const found = yield* page({ ...request, runId }, "callsOf");
    const readsErrors = Role.includes(principal.role, "Editor");
    return Page.map(found, (call) => (readsErrors ? call : { ...call, error: null }));
  });

  return { calls, callsOf, recordOf };
});
