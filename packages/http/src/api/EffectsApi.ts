import { Id, IssueEffect } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, editor, viewer } from "./Access.ts";
import * as Problem from "./Problem.ts";

const path = "/api/projects/issues/:issueId/effects";
const params = { issueId: Id.ServiceId.annotateKey({ description: "The issue's id." }) };

const list = HttpApiEndpoint.get("list", path, {
  params,
  success: Schema.Array(IssueEffect.IssueEffect),
  error: Problem.NotFound,
}).annotateMerge(
  about({
    summary: "List an issue's effects",
    description:
      "Returns the newest 1,000 calls of tools that happen once (`once` of their server), newest first.",
    access: viewer,
  }),
);

const settle = HttpApiEndpoint.post("settle", `${path}/:callId/settle`, {
  params: { ...params, callId: Id.ServiceId.annotateKey({ description: "The id of the call." }) },
  payload: IssueEffect.EffectSettle.annotate({
    examples: [{ happened: true, note: "The payment is in the ledger." }],
  }),
  success: IssueEffect.IssueEffect,
  error: [Problem.NotFound, Problem.EffectOpen, Problem.EffectSettled, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Settle an effect",
    description:
      "Says whether an effect whose reply was lost took place. If it did, equal calls get the note as their result; otherwise an equal call is sent again. An agent needs a live run of the issue, and a server whose `settle` is `agent`. A person may correct a settlement until a call has used it.",
    access: editor,
  }),
);

const reset = HttpApiEndpoint.post("reset", `${path}/reset`, {
  params,
  success: HttpApiSchema.NoContent,
  error: [Problem.NotFound, Problem.RunEnded],
}).annotateMerge(
  about({
    summary: "Start over with effects",
    description:
      "Starts a new cycle: calls that happened once are sent again when an agent repeats them. Effects that are in flight or unknown stay in the way. An agent's key gets 403.",
    access: { ...editor, only: "person" },
  }),
);

/** Calls of tools that happen once. */
export class EffectsApi extends HttpApiGroup.make("effects")
  .add(list, settle, reset)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Effects",
      description: "Calls of tools that happen once for an issue.",
    }),
  ) {}
