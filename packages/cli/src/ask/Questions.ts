import type { Question } from "@quartermaster/client";
import { Effect, Option, Stream } from "effect";
import * as Api from "../Api.ts";
import { CommandError, usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import { variable } from "../Environment.ts";
import * as Input from "../Input.ts";
import * as Lists from "../Lists.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "../project/DefaultProject.ts";

/** The allowed answers. */
const answersOf = ({ kind, options }: Question): string => {
  if (kind === "confirm") return "yes, no";
  return options === null ? "" : options.join(", ");
};

interface ListFlags extends Connection.ResultFlags {
  readonly issue: Option.Option<string>;
  readonly project: ReadonlyArray<string>;
  readonly allProjects: boolean;
  readonly status: Option.Option<Question["status"]>;
  readonly limit: number;
}

const onIssue = (access: Api.Access, issueId: string, { limit, status }: ListFlags) =>
  Lists.take(access, limit, (client, options) =>
    client.questions.list(
      { issueId, status: Option.getOrUndefined(status), limit: Lists.pageSize(limit) },
      options,
    ),
  );

const whole = (access: Api.Access, questionId: string) =>
  Api.call(access, (client, options) => client.questions.get({ questionId }, options)).pipe(
    Effect.catchIf(
      ({ kind }) => kind === "notFound",
      () => Effect.succeed(null),
    ),
  );

/**
 * The open questions of all projects, in full. A question that is deleted in the meantime is
 * omitted.
 */
const everywhere = (access: Api.Access, limit: number, projects: ReadonlyArray<string>) =>
  Lists.stream(access, (client, options) =>
    client.inbox.list(
      {
        kind: "question",
        projectId: projects.length === 0 ? undefined : projects,
        limit: Lists.pageSize(limit),
      },
      options,
    ),
  ).pipe(
    Stream.take(limit),
    Stream.map(({ questionId }) => questionId),
    Stream.filter((questionId) => questionId !== null),
    Stream.mapEffect((questionId) => whole(access, questionId), { concurrency: 4 }),
    Stream.filter((question) => question !== null),
    Stream.runCollect,
  );

export const list = Effect.fnUntraced(function* (flags: ListFlags) {
  const { allProjects, issue, project, status } = flags;
  if (Option.isSome(issue) && (project.length > 0 || allProjects)) {
    return yield* usage("Use either an issue or projects.");
  }
  if (Option.isNone(issue) && Option.isSome(status)) {
    return yield* usage("--status needs an issue: without one, the open questions are listed.");
  }
  const access = yield* Connection.open(flags);
  const questions = Option.isSome(issue)
    ? yield* onIssue(access, issue.value, flags)
    : yield* everywhere(access, flags.limit, yield* DefaultProject.several(access, flags));
  yield* Output.list(
    flags.json,
    questions,
    ["ID", "STATUS", "ISSUE", "QUESTION", "ANSWERS", "ANSWER"],
    questions.map((question) => [
      question.id,
      Output.state(question.status),
      question.issueKey ?? question.issueId,
      question.prompt,
      answersOf(question),
      question.answer,
    ]),
  );
});

/** `quartermaster ask QUESTION`. */
export const ask = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly prompt: string;
    readonly issue: Option.Option<string>;
    readonly option: ReadonlyArray<string>;
    readonly confirm: boolean;
    readonly continue: boolean;
  },
) {
  const { confirm, option } = flags;
  if (confirm && option.length > 0) return yield* usage("Use either --confirm or --option.");
  const issueId = Option.getOrNull(flags.issue) ?? (yield* variable("QM_ISSUE_ID"));
  if (issueId === null) return yield* usage("Name the issue with --issue, or set QM_ISSUE_ID.");
  const access = yield* Connection.open(flags);
  const prompt = yield* Input.text(flags.prompt);
  const kind = confirm ? "confirm" : option.length > 0 ? "choice" : "text";
  const question = yield* Api.call(access, (client, options) =>
    client.questions.ask(
      {
        issueId,
        prompt,
        kind,
        blocking: !flags.continue,
        ...(option.length > 0 ? { options: option } : {}),
      },
      options,
    ),
  );
  yield* Output.one(flags.json, question, [question.id]);
});

/** The id of the question: the given one, or of the only open question on an issue. */
const idOf = Effect.fnUntraced(function* (access: Api.Access, question: string) {
  if (question.startsWith("qst_")) return question;
  const open = yield* Lists.take(access, 2, (client, options) =>
    client.questions.list({ issueId: question, status: "open", limit: 2 }, options),
  );
  const [only, other] = open;
  if (only !== undefined && other === undefined) return only.id;
  return yield* new CommandError({
    kind: "notFound",
    message:
      only === undefined
        ? Output.cell(`${question} has no open question.`)
        : Output.cell(
            `${question} has several open questions. Name one by its id: \`quartermaster ask list ${question} --status open\` prints them.`,
          ),
    problem: null,
    retryAfterSeconds: null,
  });
});

export const answer = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & { readonly question: string; readonly answer: string },
) {
  const access = yield* Connection.open(flags);
  const questionId = yield* idOf(access, flags.question);
  const answer = yield* Input.text(flags.answer);
  const question = yield* Api.call(access, (client, options) =>
    client.questions.answer({ questionId, answer }, options),
  );
  yield* Output.one(flags.json, question, [Output.cell(`${question.id} ${question.status}`)]);
});
