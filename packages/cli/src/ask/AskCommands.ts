import { Argument, Command, Flag } from "effect/cli";
import { connection, example, lazily, limit } from "../Options.ts";

/** `quartermaster ask ...`. The code of the commands is in `Questions.ts`. */

const questions = () => import("./Questions.ts");

const list = Command.make(
  "list",
  {
    ...connection,
    issue: Argument.String("issue").pipe(
      Argument.withDescription("Only questions on this issue; without it, all open ones"),
      Argument.optional,
    ),
    project: Flag.String("project").pipe(
      Flag.withDescription("Without an issue: questions of this project; repeatable"),
      Flag.atLeast(0),
    ),
    status: Flag.Literals("status", ["open", "answered", "expired", "withdrawn"]).pipe(
      Flag.withDescription("With an issue: questions of this status (all)"),
      Flag.optional,
    ),
    limit,
  },
  lazily(() => questions().then(({ list }) => list)),
).pipe(
  Command.withDescription(
    "List the open questions of all projects, the most urgent first, or all questions on an issue, oldest first.",
  ),
  Command.withShortDescription("List open questions, or the questions on an issue"),
  example("ask list --project shop", "List what agents of a project ask"),
);

const answer = Command.make(
  "answer",
  {
    ...connection,
    question: Argument.String("question").pipe(
      Argument.withDescription("The id of the question, qst_..."),
    ),
    answer: Argument.String("answer").pipe(
      Argument.withDescription(
        "The answer: text, one of the options, yes or no; - or nothing reads it from stdin",
      ),
      Argument.withDefault("-"),
    ),
  },
  lazily(() => questions().then(({ answer }) => answer)),
).pipe(
  Command.withDescription("Answer a question. Only a person answers: an agent's key is refused."),
  example('ask answer qst_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA "The left one"', "Answer a question"),
);

export const command = Command.make("ask").pipe(
  Command.withDescription("List and answer the questions of agents."),
  Command.withSubcommands([list, answer]),
);
