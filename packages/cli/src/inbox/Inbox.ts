import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "../project/DefaultProject.ts";

/** `quartermaster inbox list`. */
export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly project: ReadonlyArray<string>;
    readonly allProjects: boolean;
    readonly kind: Option.Option<string>;
    readonly mine: boolean;
    readonly limit: number;
  },
) {
  const access = yield* Connection.open(flags);
  const projects = yield* DefaultProject.several(access, flags);
  const items = yield* Lists.take(access, flags.limit, (client, options) =>
    client.inbox.list(
      {
        kind: Option.getOrUndefined(flags.kind),
        projectId: projects.length === 0 ? undefined : projects,
        mine: flags.mine ? true : undefined,
        limit: Lists.pageSize(flags.limit),
      },
      options,
    ),
  );
  yield* Output.list(
    flags.json,
    items,
    ["SUBJECT", "KIND", "SINCE", "TITLE", "DETAIL"],
    items.map(
      ({ agentId, detail, issueKey, kind, questionId, serverId, since, title, webhookId }) => [
        {
          draw: ({ isTerminal }) =>
            Output.cell(
              // On a terminal a question has the key of its issue: `ask answer` takes it.
              (isTerminal ? (issueKey ?? questionId) : (questionId ?? issueKey)) ??
                serverId ??
                webhookId ??
                agentId,
            ),
        },
        Output.state(kind),
        Output.time(since),
        title,
        detail,
      ],
    ),
  );
});

/** `quartermaster inbox done ISSUE`. */
export const done = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly issue: string },
) {
  const access = yield* Connection.open(flags);
  const issueId = flags.issue;
  yield* Api.call(access, (client, options) => client.inbox.dismiss({ issueId }, options));
  yield* Output.one(flags.json, { issueId }, [Output.cell(`Done: ${issueId}`)]);
});
