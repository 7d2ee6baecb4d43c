import { IssueEffects } from "@quartermaster/core";
import { Effect } from "effect";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const effects = yield* IssueEffects.IssueEffects;

    return Handlers.of("effects", {
      list: ({ params }) => Reply.ok(effects.list(params.issueId)),
      settle: ({ params, payload }) =>
        Reply.ok(effects.settle(params.issueId, params.callId, payload)),
      reset: ({ params }) => Reply.noContent(effects.reset(params.issueId)),
    });
  }),
);
