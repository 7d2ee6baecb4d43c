import type { IssueEffect } from "@quartermaster/client";
import { Effect } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Input from "../Input.ts";
import * as Output from "../Output.ts";

interface OfIssue extends Connection.ResultFlags {
  readonly issue: string;
}

export const list = Effect.fnUntraced(function* (flags: OfIssue & { readonly limit: number }) {
  const access = yield* Connection.open(flags);
  const all = yield* Api.call(access, (client, options) =>
    client.effects.list({ issueId: flags.issue }, options),
  );
  const effects = all.slice(0, flags.limit);
  yield* Output.list(
    flags.json,
    effects,
    ["CALL", "SENT", "STATE", "CYCLE", "N", "TOOL", "RUN", "RESULT"],
    effects.map(({ callId, cycle, n, runId, sentAt, server, state, summary, tool }) => [
      callId,
      Output.time(sentAt),
      Output.state(state),
      cycle,
      n,
      `${server}__${tool}`,
      runId,
      summary,
    ]),
  );
});

const sentenceOf = ({ callId, state }: IssueEffect): string =>
  state === "done"
    ? `${callId} is done. Equal calls get the note as their result.`
    : `${callId} failed. An equal call is sent again.`;

export const settle = Effect.fnUntraced(function* (
  flags: OfIssue & {
    readonly call: string;
    readonly happened: "true" | "false";
    readonly note: string;
  },
) {
  const access = yield* Connection.open(flags);
  const note = yield* Input.text(flags.note);
  const { call: callId, issue: issueId } = flags;
  const effect = yield* Api.call(access, (client, options) =>
    client.effects.settle({ issueId, callId, happened: flags.happened === "true", note }, options),
  );
  yield* Output.one(flags.json, effect, [Output.cell(sentenceOf(effect))]);
});

export const reset = Effect.fnUntraced(function* (flags: OfIssue) {
  const access = yield* Connection.open(flags);
  yield* Api.call(access, (client, options) =>
    client.effects.reset({ issueId: flags.issue }, options),
  );
  const sentence = "Calls that happened are sent again when an agent repeats them.";
  yield* Output.one(flags.json, { issueId: flags.issue }, [sentence]);
});
