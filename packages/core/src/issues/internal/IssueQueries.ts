import { Effect } from "effect";
import * as Principal from "../../access/Principal.ts";
import { InvalidRequest, NotFound } from "../../CommonErrors.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import * as Timestamp from "../../Timestamp.ts";
import { toActivity } from "../Activity.ts";
import { ActivityStore } from "../ActivityStore.ts";
import type { IssueRow } from "../Issue.ts";
import { IssueFilter } from "../IssueFilter.ts";
import * as IssueOrder from "../IssueOrder.ts";
import { type IssueQuery, IssueStore } from "../IssueStore.ts";
import { IssueView } from "../IssueView.ts";
import * as SearchText from "../SearchText.ts";
import * as IssueReadiness from "./IssueReadiness.ts";
import { References } from "./References.ts";

type Request = typeof IssueFilter.Encoded & Page.PageRequest;
type AcrossRequest = Request & { readonly projectId?: ReadonlyArray<string> | undefined };
type Filter = Omit<IssueQuery, "projectId">;

/**
 * The largest number of words of a search. Each word costs one lookup: a search of 500 words took
 * 730 ms.
 */
const maxWords = 32;

/** The reads of `Issues`: an issue, a project's issues, an issue's readiness and timeline. */
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

  /**
   * Reads a page of the rows that `fetch` finds for the filters. `of` names the projects to search.
   */
  const pageOf = Effect.fnUntraced(function* <E>(
    of: ReadonlyArray<unknown>,
    { limit, cursor, order, ...filters }: Request,
    fetch: (
      filter: Filter,
      slice: Page.Slice<IssueOrder.IssueKey>,
    ) => Effect.Effect<ReadonlyArray<IssueRow>, E, Principal.CurrentPrincipal>,
  ) {
    const decoded = yield* decodeFilter(filters);
    const { q = "", ready, ...filter } = decoded;
    const words = [...new Set(SearchText.words(q))];
    if (words.length > maxWords) {
      return yield* InvalidRequest.at(
        "q",
        `has ${words.length} distinct words; use at most ${maxWords}`,
      );
    }
    const now = yield* Timestamp.now;
    // A text without letters or digits matches nothing, unlike an empty text.
    const isUnmatchable = q.trim() !== "" && words.length === 0;
    return yield* Page.readBy(
      IssueOrder.keyset,
      { limit, cursor, order, defaultOrder: "desc", query: ["issues", ...of, decoded] },
      (slice) =>
        fetch(
          { ...filter, words, ...(ready === undefined ? {} : { ready: { is: ready, now } }) },
          isUnmatchable ? { ...slice, limit: 0 } : slice,
        ),
    );
  });

  const inProject = (id: string, request: Request) =>
    pageOf([id], request, (filter, slice) =>
      Effect.flatMap(references.project(id), (projectId) =>
        slice.limit === 0 ? Effect.succeed([]) : store.list({ ...filter, projectId }, slice),
      ),
    );

  const across = ({ projectId, ...request }: AcrossRequest, agentId?: string) =>
    pageOf([projectId, agentId], request, (filter, slice) =>
      Effect.flatMap(Principal.CurrentPrincipal, (principal) => {
        const projects =
          projectId === undefined
            ? principal.projects
            : [...new Set(projectId)].filter((id) => Principal.sees(principal, id));
        return slice.limit === 0
          ? Effect.succeed([])
          : store.listAcross(
              { ...filter, projects, ...(agentId === undefined ? {} : { agentId }) },
              slice,
            );
      }),
    );

  const list = Span.fn("Issues.list")(function* (id: string, request: Request = {}) {
    const { items, next } = yield* inProject(id, request);
    return { items: yield* view.renderAll(items), next };
  });

  const listBrief = Span.fn("Issues.listBrief")(function* (id: string, request: Request = {}) {
    const { items, next } = yield* inProject(id, request);
    return { items: yield* view.briefAll(items), next };
  });

  const listAcross = Span.fn("Issues.listAcross")(function* (request: AcrossRequest = {}) {
    const { items, next } = yield* across(request);
    return { items: yield* view.renderAll(items), next };
  });

  const listAcrossBrief = Span.fn("Issues.listAcrossBrief")(function* (
    request: AcrossRequest = {},
  ) {
    const { items, next } = yield* across(request);
    return { items: yield* view.briefAll(items), next };
  });

  const assigned = Span.fn("Issues.assigned")(function* (request: Request = {}) {
    const { agentId } = yield* Principal.CurrentPrincipal;
    if (agentId === null) return { items: [], next: null };
    const { items, next } = yield* across(request, agentId);
    return { items: yield* view.briefAll(items), next };
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

  return {
    get,
    getBrief,
    list,
    listBrief,
    listAcross,
    listAcrossBrief,
    assigned,
    readiness,
    activity,
  };
});
