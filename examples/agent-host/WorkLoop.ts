// The same work without a host: an agent that has only the tools of `/mcp`, like Claude Code or
// Cursor.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Comments, Issues, Keys, Questions } from "@quartermaster/core";
import { Console, Effect, Schema } from "effect";
import { HttpServer } from "effect/http";
import { chapter, check, Surprise } from "./Story.ts";

const Text = Schema.Struct({ text: Schema.String });
const isText = Schema.is(Text);

/** The members of the work loop's results that this example reads. */
const Result = Schema.fromJsonString(
  Schema.Struct({
    run: Schema.optional(Schema.NullOr(Schema.Struct({ attempt: Schema.Int }))),
    issue: Schema.optional(Schema.Struct({ title: Schema.String })),
    reason: Schema.optional(Schema.NullOr(Schema.String)),
    action: Schema.optional(Schema.String),
    comments: Schema.optional(Schema.Array(Schema.Struct({ content: Schema.String }))),
    questions: Schema.optional(
      Schema.Array(Schema.Struct({ answer: Schema.NullOr(Schema.String) })),
    ),
    id: Schema.optional(Schema.String),
    status: Schema.optional(Schema.String),
  }),
);

/**
 * Connects an agent to `/mcp`. Returns a function that calls a tool. Every call renews the lease of
 * the agent's run.
 */
const connect = Effect.fnUntraced(function* (agentId: string) {
  const keys = yield* Keys.Keys;
  const { address } = yield* HttpServer.HttpServer;
  const { key } = yield* keys.create({ name: agentId, role: "Editor", agentId });
  const client = new Client({ name: "example", version: "1" });
  const transport = new StreamableHTTPClientTransport(
    new URL("/mcp", HttpServer.formatAddress(address)),
    { requestInit: { headers: { authorization: `Bearer ${key}` } } },
  );
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect(transport)),
    () => Effect.promise(() => client.close()),
  );
  const call = Effect.fnUntraced(function* (name: string, args: Record<string, unknown> = {}) {
    yield* Console.log(`  ${agentId} calls ${name} ${JSON.stringify(args)}`);
    const { content } = yield* Effect.promise(() => client.callTool({ name, arguments: args }));
    const [result, ...notices] = content.filter(isText).map(({ text }) => text);
    for (const notice of notices) yield* Console.log(`  ${agentId} reads "${notice}"`);
    const value = yield* Schema.decodeEffect(Result)(result ?? "").pipe(
      Effect.mapError(() => new Surprise({ message: `${name} returned ${result}` })),
    );
    return { ...value, notices };
  });
  return { call, instructions: client.getInstructions() ?? "" };
});

/** One issue from its claim to its review, with a question and a pause in between. */
export const story = Effect.gen(function* () {
  const issues = yield* Issues.Issues;
  const comments = yield* Comments.Comments;
  const questions = yield* Questions.Questions;
  const say = (id: string, content: string) => comments.create(id, { content, authorType: "User" });

  yield* chapter("Cleo has no host: she works with the tools of /mcp");
  const { id } = yield* issues.create("demo", { title: "Frame it", assignedAgentId: "cleo" });
  const { call, instructions } = yield* connect("cleo");
  yield* Console.log(`  ${instructions.split(". ")[0]}.`);
  const first = yield* call("work_next");
  yield* check("she gets", first.issue?.title, "Frame it");

  yield* chapter("She asks a person, gives the issue back, and gets it again with the answer");
  const asked = yield* call("ask", {
    prompt: "Which frame?",
    kind: "choice",
    options: ["oak", "steel"],
  });
  yield* call("work_finish", { outcome: "released" });
  yield* check("until then", (yield* call("work_next")).reason, "awaitingAnswer");
  yield* questions.answer(asked.id ?? "", { answer: "oak" });
  const again = yield* call("work_next");
  yield* check("the answer is", again.questions?.[0]?.answer, "oak");
  yield* say(id, "By noon, please.");
  const turn = yield* call("work_turn");
  yield* check("at her turn she may", turn.action, "continue");
  yield* check("she reads", turn.comments?.at(-1)?.content, "By noon, please.");

  yield* chapter("A person pauses the issue: the next result of any tool says so");
  yield* issues.pause(id);
  yield* check("notices", (yield* call("whoami")).notices.length, 1);
  const stop = yield* call("work_turn");
  yield* check("she stops, because it was", stop.reason, "paused");
  yield* issues.resume(id);
  yield* call("work_next");
  const done = yield* call("work_finish", { outcome: "review", comment: "Framed in oak." });
  yield* check("she hands it in", done.status, "PendingReview");
  yield* issues.update(id, { status: "Resolved" });
  yield* check("then there is", (yield* call("work_next")).reason, "nothing");
}).pipe(Effect.scoped);
