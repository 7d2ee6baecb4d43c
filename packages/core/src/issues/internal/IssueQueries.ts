import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import { InvalidRequest, NotFound } from "../../CommonErrors.ts";
import * as Input from "../../internal/Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import { toActivity } from "../Activity.ts";
import { ActivityStore } from "../ActivityStore.ts";
import { IssueFilter } from "../Issue.ts";
import { IssueStore } from "../IssueStore.ts";
import * as SearchText from "../SearchText.ts";
import * as IssueReadiness from "./IssueReadiness.ts";
import { IssueView } from "./IssueView.ts";
import { References } from "./References.ts";

type Request = typeof IssueFilter.Encoded & Page.PageRequest;

/** Each word costs one lookup: a search of 500 words took 730 ms. */
const maxWords = 32;

/** What `Issues` reads: an issue, a project's issues, an issue's readiness and timeline. */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const view = yield* IssueView;
  const references = yield* References;
  const activities = yield* ActivityStore;
  const readiness = yield* IssueReadiness.make;
  const decodeFilter = Input.decoder(IssueFilter);

  const getBrief = Span.fn("Issues.getBrief")(function* (issueId: string) {
    const row = yield* view.row(issueId);
    const [brief] = yield* view.briefAll([row]);
    return brief ?? (yield* new NotFound({ resource: "issue", id: issueId }));
  });

  const get = Effect.fnUntraced(function* (issueId: string) {
    return yield* view.render(yield* view.row(issueId));
  });

  const pageOf = Effect.fnUntraced(function* (id: string, request: Request) {
    const { limit, cursor, order, ...filters } = request;
    const { q = "", ...filter } = yield* decodeFilter(filters);
    const words = [...new Set(SearchText.words(q))];
    if (words.length > maxWords) {
      return yield* InvalidRequest.at(
        "q",
        `has ${words.length} distinct words; use at most ${maxWords}`,
      );
    }
    // A text without a letter or digit matches nothing, unlike an empty one.
    const isUnmatchable = q.trim() !== "" && words.length === 0;
    return yield* Page.read(
      {
        limit,
        cursor,
        order,
        defaultOrder: "desc",
        query: ["issues", id, filter, words, isUnmatchable],
      },
      (slice) =>
        Effect.flatMap(references.project(id), (projectId) =>
          isUnmatchable ? Effect.succeed([]) : store.list({ ...filter, projectId, words }, slice),
        ),
    );
  });

  const list = Span.fn("Issues.list")(function* (id: string, request: Request = {}) {
    const { items, next } = yield* pageOf(id, request);
    return { items: yield* view.renderAll(items), next };
  });

  const listBrief = Span.fn("Issues.listBrief")(function* (id: string, request: Request = {}) {
    const { items, next } = yield* pageOf(id, request);
    return { items: yield* view.briefAll(items), next };
  });

  const assigned = Span.fn("Issues.assigned")(function* (request: Request = {}) {
    const { agentId, projects } = yield* Principal.CurrentPrincipal;
    const { limit, cursor, order, ...filters } = request;
    const [filter] = Object.keys(yield* decodeFilter(filters));
    if (filter !== undefined) {
      return yield* InvalidRequest.at(filter, "filters the issues of a project: pass `projectId`");
    }
    if (agentId === null) return { items: [], next: null };
    const page = yield* Page.read(
      { limit, cursor, order, defaultOrder: "desc", query: ["assigned", agentId] },
      (slice) => store.ofAgent(agentId, projects, slice),
    );
    return { items: yield* view.briefAll(page.items), next: page.next };
  });

  const activity = Span.fn("Issues.activity")(function* (
    issueId: string,
    request: Page.PageRequest = {},
  ) {
    const { projects } = yield* Principal.CurrentPrincipal;
    const page = yield* Page.read(
      { ...request, defaultOrder: "asc", query: ["activity", issueId] },
      (slice) => Effect.andThen(view.row(issueId), activities.list(issueId, projects, slice)),
    );
    return Page.map(page, toActivity);
  });

  return { get, getBrief, list, listBrief, assigned, readiness, activity };
});
