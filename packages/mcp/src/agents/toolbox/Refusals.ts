import type {
  Attachments,
  Comments,
  Errors,
  IssueEffects,
  Issues,
  Links,
  Questions,
  ToolGateway,
  Workers,
} from "@quartermaster/core";
import { Context, Data, type Effect } from "effect";

type ErrorOf<F> = F extends (...args: never) => Effect.Effect<unknown, infer E, infer _R>
  ? E
  : never;

/** Errors that refuse a tool call. */
export type Refusal =
  | ErrorOf<
      Issues.Issues["Service"][
        | "assigned"
        | "create"
        | "get"
        | "list"
        | "plan"
        | "readiness"
        | "update"]
    >
  | ErrorOf<Attachments.Attachments["Service"]["download" | "list"]>
  | Errors.PayloadTooLarge
  | ErrorOf<Comments.Comments["Service"]["create" | "list"]>
  | ErrorOf<IssueEffects.IssueEffects["Service"]["settle"]>
  | ErrorOf<Links.Links["Service"]["create" | "remove"]>
  | ErrorOf<Questions.Questions["Service"]["ask" | "closedFor" | "get" | "list" | "withdraw"]>
  | ErrorOf<Workers.Workers["Service"]["acting" | "finish" | "next" | "takeOver" | "turn"]>
  | ErrorOf<ToolGateway.ToolGateway["Service"]["call"]>;

/** A refusal whose tool knows more than the service: its `detail` replaces the general sentence. */
export class Explained extends Data.TaggedError("Explained")<{
  readonly refusal: Refusal;
  readonly detail: string;
}> {}

/** A refusal for agents. `detail` is one sentence with the next step. */
export interface Problem extends Readonly<Record<string, unknown>> {
  readonly detail: string;
}

/** Port: the host's texts for refusals, equal on all of its routes. */
export class Refusals extends Context.Service<
  Refusals,
  { readonly problemOf: (refusal: Refusal) => Problem }
>()("@quartermaster/mcp/agents/toolbox/Refusals") {}
