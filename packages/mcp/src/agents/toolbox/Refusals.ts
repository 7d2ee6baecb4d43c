import type {
  Attachments,
  Comments,
  Issues,
  Links,
  Questions,
  ToolGateway,
  Workers,
} from "@quartermaster/core";
import { Context, type Effect } from "effect";

type ErrorOf<F> = F extends (...args: never) => Effect.Effect<unknown, infer E, infer _R>
  ? E
  : never;

/** The errors that may refuse a tool call. */
export type Refusal =
  | ErrorOf<
      Issues.Issues["Service"]["assigned" | "create" | "get" | "list" | "readiness" | "update"]
    >
  | ErrorOf<Attachments.Attachments["Service"]["list"]>
  | ErrorOf<Comments.Comments["Service"]["create" | "list"]>
  | ErrorOf<Links.Links["Service"]["create" | "remove"]>
  | ErrorOf<Questions.Questions["Service"]["ask" | "closedFor" | "get"]>
  | ErrorOf<Workers.Workers["Service"]["finish" | "live" | "next" | "turn"]>
  | ErrorOf<ToolGateway.ToolGateway["Service"]["call"]>;

/** A refusal as agents read it: `detail` is one sentence that says what to do. */
export interface Problem extends Readonly<Record<string, unknown>> {
  readonly detail: string;
}

/** Port: how the host words refusals, the same as on its other routes. */
export class Refusals extends Context.Service<
  Refusals,
  { readonly problemOf: (refusal: Refusal) => Problem }
>()("@quartermaster/mcp/agents/toolbox/Refusals") {}
