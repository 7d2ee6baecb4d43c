import {
  Errors,
  Issues,
  Links,
  type Page,
  type Principal,
  Questions,
  Runs,
  Workers,
} from "@quartermaster/core";
import { Effect, Random } from "effect";
import { agent, as, user } from "./Callers.ts";

/** Random calls by many concurrent callers on the issues of a project. */

export const projectId = "hammer";
export const agentIds: ReadonlyArray<string> = ["agent-0", "agent-1", "agent-2"];

type Action = Effect.Effect<
  unknown,
  { readonly _tag: string },
  | Issues.Issues
  | Links.Links
  | Questions.Questions
  | Runs.Runs
  | Workers.Workers
  | Principal.CurrentPrincipal
>;

/**
 * Ignores refusals, which are valid responses, and fails on storage errors. A storage may also give up: it says that
 * a caller may try again. Returns whether it did.
 */
const tolerant = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<boolean, E, R> =>
  Effect.matchEffect(effect, {
    onSuccess: () => Effect.succeed(false),
    onFailure: (error) => {
      if (!(error instanceof Errors.StorageError)) return Effect.succeed(false);
      return error.isRetryable ? Effect.succeed(true) : Effect.fail(error);
    },
  });

const pick = <A>(items: ReadonlyArray<A>): Effect.Effect<A> =>
  Effect.flatMap(Random.nextIntBetween(0, items.length), (n) => {
    const item = items[n % items.length];
    return item === undefined ? Effect.die("nothing to pick from") : Effect.succeed(item);
  });

/** A user asks about an issue, or answers or withdraws one of its open questions. */
const question = Effect.fnUntraced(function* (issueId: string) {
  const questions = yield* Questions.Questions;
  const { items } = yield* questions.list(issueId, { limit: 5, status: "open" });
  if (items.length === 0 || (yield* Random.nextBoolean)) {
    const blocking = yield* Random.nextBoolean;
    return yield* questions.ask(issueId, { prompt: "Which?", blocking });
  }
  const { id } = yield* pick(items);
  if (yield* Random.nextBoolean) return yield* questions.withdraw(id);
  return yield* questions.answer(id, { answer: "The left one" });
});

/**
 * One of two workers of an agent. It takes a turn, asks, finishes, or leaves its run to the next
 * call.
 */
const work = Effect.fnUntraced(function* (agentId: string) {
  const workers = yield* Workers.Workers;
  const questions = yield* Questions.Questions;
  const worker = { id: yield* pick(["one", "two"]), runId: null, isShared: false };
  const { run } = yield* workers.next(agentId, worker);
  if (run === null) return;
  const act = yield* pick(["leave", "turn", "ask", "finish"] as const);
  if (act === "turn") yield* workers.turn(agentId, worker);
  if (act === "ask") yield* questions.ask(run.issueId, { prompt: "Which?" });
  if (act === "ask" || act === "finish") {
    yield* workers.finish(agentId, worker, {
      outcome: yield* pick(["released", "review"] as const),
    });
  }
});

/** One caller: `steps` random calls in sequence. Returns how many of them the storage gave up. */
export const caller = Effect.fnUntraced(function* (issueIds: ReadonlyArray<string>, steps: number) {
  const issues = yield* Issues.Issues;
  const links = yield* Links.Links;
  const runs = yield* Runs.Runs;
  const newest: Page.PageRequest = { limit: 5, order: "desc" };

  const actions: ReadonlyArray<Action> = [
    Effect.gen(function* () {
      const linkType = yield* pick(["Blocks", "BlockedBy", "RelatedTo"] as const);
      const targetIssueId = yield* pick(issueIds);
      return yield* links.create(yield* pick(issueIds), { targetIssueId, linkType });
    }),
    Effect.gen(function* () {
      const { items } = yield* links.list(yield* pick(issueIds), newest);
      if (items.length > 0) yield* links.remove((yield* pick(items)).id);
    }),
    Effect.gen(function* () {
      const status = yield* pick(["Open", "InProgress", "PendingReview", "Resolved"] as const);
      return yield* issues.update(yield* pick(issueIds), { status });
    }),
    Effect.gen(function* () {
      const assignedAgentId = yield* pick([...agentIds, null]);
      return yield* issues.update(yield* pick(issueIds), { assignedAgentId });
    }),
    Effect.gen(function* () {
      return yield* issues.close(yield* pick(issueIds), { force: yield* Random.nextBoolean });
    }),
    Effect.gen(function* () {
      const id = yield* pick(issueIds);
      return yield* issues[yield* pick(["pause", "resume"] as const)](id);
    }),
    Effect.gen(function* () {
      const id = yield* pick(agentIds);
      const { started } = yield* runs.heartbeat(id, { capacity: 2 });
      const { items } = yield* runs.list(id, newest);
      if (started.length > 0 || items.length === 0) return;
      const run = yield* pick(items);
      if (yield* Random.nextBoolean) yield* tolerant(runs.turn(id, run.id));
      else yield* runs.finish(id, run.id, { outcome: yield* pick(["review", "failed"] as const) });
    }),
    Effect.flatMap(pick(issueIds), question),
    Effect.flatMap(pick(agentIds), (agentId) => as(agent(agentId))(work(agentId))),
  ];

  let gaveUp = 0;
  for (let step = 0; step < steps; step++) {
    gaveUp += Number(yield* tolerant(yield* pick(actions)).pipe(as(user("alice"))));
    yield* Effect.yieldNow;
  }
  return gaveUp;
});
