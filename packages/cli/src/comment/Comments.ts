import type { Comment } from "@quartermaster/client";
import { Effect, Option } from "effect";
import * as Api from "../Api.ts";
import { usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Input from "../Input.ts";
import * as Lists from "../Lists.ts";
import * as Names from "../Names.ts";
import * as Output from "../Output.ts";

interface OfIssue extends Connection.ResultFlags {
  readonly issue: string;
}

interface OfComment extends OfIssue {
  readonly comment: string;
}

interface IfVersion {
  readonly ifVersion: Option.Option<number>;
}

const ifMatchOf = ({ ifVersion }: IfVersion) => ({ ifMatch: Option.getOrUndefined(ifVersion) });

const stateOf = ({ deletedAt, editedAt }: Comment): string =>
  deletedAt !== null ? "deleted" : editedAt !== null ? "edited" : "";

export const list = Effect.fnUntraced(function* (flags: OfIssue & { readonly limit: number }) {
  const access = yield* Connection.open(flags);
  const query = { issueId: flags.issue, limit: Lists.pageSize(flags.limit) };
  const comments = yield* Lists.take(access, flags.limit, (client, options) =>
    client.comments.list(query, options),
  );
  const authorOf = ({ authorId, authorType }: Comment) => ({ type: authorType, id: authorId });
  const nameOf = yield* Names.of(access, flags, comments.map(authorOf));
  yield* Output.list(
    flags.json,
    comments,
    ["ID", "TIME", "BY", "VERSION", "STATE", "TEXT"],
    comments.map((comment) => [
      comment.id,
      Output.time(comment.createdAt),
      nameOf(authorOf(comment)),
      comment.version,
      stateOf(comment),
      comment.content,
    ]),
  );
});

export const edit = Effect.fnUntraced(function* (
  flags: OfComment & IfVersion & { readonly content: string },
) {
  const access = yield* Connection.open(flags);
  const content = yield* Input.text(flags.content);
  const comment = yield* Api.call(access, (client, options) =>
    client.comments.update(
      { issueId: flags.issue, commentId: flags.comment, content },
      { ...options, ...ifMatchOf(flags) },
    ),
  );
  yield* Output.one(flags.json, comment, [`version ${comment.version}`]);
});

export const remove = Effect.fnUntraced(function* (
  flags: OfComment & IfVersion & { readonly purge: boolean; readonly yes: boolean },
) {
  if (flags.purge && !flags.yes) {
    return yield* usage("Purging removes every version of the comment. Confirm with --yes.");
  }
  const access = yield* Connection.open(flags);
  yield* Api.call(access, (client, options) =>
    client.comments.delete(
      { issueId: flags.issue, commentId: flags.comment, purge: flags.purge || undefined },
      { ...options, ...ifMatchOf(flags) },
    ),
  );
  yield* Output.one(flags.json, { deleted: flags.comment }, []);
});

export const versions = Effect.fnUntraced(function* (
  flags: OfComment & { readonly limit: number },
) {
  const access = yield* Connection.open(flags);
  const query = {
    issueId: flags.issue,
    commentId: flags.comment,
    limit: Lists.pageSize(flags.limit),
  };
  const found = yield* Lists.take(access, flags.limit, (client, options) =>
    client.comments.versions(query, options),
  );
  const nameOf = yield* Names.of(
    access,
    flags,
    found.map(({ editedBy }) => editedBy),
  );
  yield* Output.list(
    flags.json,
    found,
    ["VERSION", "TIME", "BY", "TEXT"],
    found.map(({ content, editedAt, editedBy, version }) => [
      version,
      Output.time(editedAt),
      nameOf(editedBy),
      content,
    ]),
  );
});
