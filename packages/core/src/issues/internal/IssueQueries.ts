import { Effect } from "effect";
import * as IssueKeys from "../../access/IssueKeys.ts";
import * as Principal from "../../access/Principal.ts";
import { InvalidRequest, NotFound } from "../../CommonErrors.ts";
import * as Input from "../../Input.ts";
import * as Span from "../../internal/Span.ts";
import * as Page from "../../Page.ts";
import * as Matching from "../../search/Matching.ts";
import * as Timestamp from "../../Timestamp.ts";
import { toActivity } from "../Activity.ts";
import { ActivityStore } from "../ActivityStore.ts";
import type { IssueRow } from "../Issue.ts";
import { IssueFilter } from "../IssueFilter.ts";
import * as IssueOrder from "../IssueOrder.ts";
import { type AcrossQuery, type Found, type FoundPage, IssueStore } from "../IssueStore.ts";
import { IssueView, type Searched } from "../IssueView.ts";
import { silentSince } from "../Readiness.ts";
import * as IssueReadiness from "./IssueReadiness.ts";
import { References } from "./References.ts";

type Request = typeof IssueFilter.Encoded & Page.PageRequest;
type AcrossRequest = Request & { readonly projectId?: ReadonlyArray<string> | undefined };
type Projects = Pick<AcrossQuery, "projects" | "agentId">;

/**
 * The largest number of words of a search. Each word costs one lookup: a search of 500 words took
 * 730 ms.
 */
const maxWords = 32;

const nothing: FoundPage<never> = { items: [], next: null, isTruncated: false, asOf: null };

/** The issues of a page, with the words that found them. */
interface Rows extends FoundPage<IssueRow> {
  readonly searched: Searched;
}

/** Creates the function that reads the pages of lists. */
const pager = (store: IssueStore["Service"], keys: IssueKeys.IssueKeys["Service"]) => {
  const decodeFilter = Input.decoder(IssueFilter);
  /**
   * Reads a page of the issues that pass the filters. `of` names the projects, which `inProjects`
   * resolves.
   */
  return Effect.fnUntraced(function* <E>(
    of: ReadonlyArray<unknown>,
    { limit, cursor, order, ...filters }: Request,
    inProjects: Effect.Effect<Projects, E, Principal.CurrentPrincipal>,
  ) {
    const decoded = yield* decodeFilter(filters);
    const { q = "", ready, silentAgent, sort, has, "not.has": hasNot, ...filter } = decoded;
    const words = Matching.wordsOf(q);
    const distinct = new Set(words).size;
    if (distinct > maxWords) {
      return yield* InvalidRequest.at(
        "q",
        `has ${distinct} distinct words; use at most ${maxWords}`,
      );
    }
    const isSearch = q.trim() !== "";
    if (sort === "relevance" && !isSearch) {
      return yield* InvalidRequest.at("sort", "can be relevance only with q");
    }
    const now = yield* Timestamp.now;
    const query = {
      ...filter,
      ...(ready === undefined ? {} : { ready: { is: ready, now } }),
      ...(has === undefined ? {} : { has: { any: has, now } }),
      ...(hasNot === undefined ? {} : { "not.has": { any: hasNot, now } }),
      ...(silentAgent === undefined
        ? {}
        : { silentAgent: { is: silentAgent, since: silentSince(now) } }),
    };
    const request = {
      limit,
      cursor,
      order,
      defaultOrder: "desc",
      query: ["issues", ...of, decoded],
    } as const;
    const issueId = yield* keys.idOf(q.trim());
    const search = {
      words,
      keyStart: IssueKeys.parse(q.trim()),
      ...(issueId === q.trim() ? {} : { issueId }),
    };
    const keyed = new Set<string>();
    const page: Rows = { ...nothing, searched: { words, keyed } };
    if (!isSearch) {
      const sorted = sort === undefined || sort === "relevance" ? query : { ...query, sort };
      const found = yield* Page.readBy(IssueOrder.keyset, request, (slice) =>
        Effect.flatMap(inProjects, ({ projects, ...agent }) => {
          const [projectId, ...others] = projects ?? [];
          return projectId !== undefined && others.length === 0
            ? store.list({ ...sorted, ...agent, projectId }, slice)
            : store.listAcross({ ...sorted, ...agent, projects }, slice);
        }),
      );
      return { ...page, ...found };
    }
    let state: Pick<Found, "isTruncated" | "asOf"> = page;
    const found = yield* Page.readBy(IssueOrder.foundKeyset, request, (slice) =>
      Effect.flatMap(inProjects, (projects) =>
        // A text without letters or digits matches nothing, unlike an empty text.
        words.length === 0
          ? Effect.succeed([])
          : Effect.map(
              store.search({ ...query, ...projects, ...search, sort: sort ?? "relevance" }, slice),
              ({ hits, ...rest }) => {
                state = rest;
                for (const { isKey, issue } of hits) if (isKey) keyed.add(issue.id);
                return hits;
              },
            ),
      ),
    );
    const { asOf, isTruncated } = state;
    return { ...page, ...Page.map(found, ({ issue }) => issue), asOf, isTruncated };
  });
};

/** The reads of `Issues`: an issue, a project's issues, an issue's readiness and timeline. */
export const make = Effect.gen(function* () {
  const store = yield* IssueStore;
  const view = yield* IssueView;
  const references = yield* References;
  const activities = yield* ActivityStore;
  const readiness = yield* IssueReadiness.make;
  const pageOf = pager(store, yield* IssueKeys.IssueKeys);

  const getBrief = Span.fn("Issues.getBrief")(function* (issueId: string) {
    const row = yield* view.row(issueId);
    const [brief] = yield* view.briefAll([row]);
    return brief ?? (yield* new NotFound({ resource: "issue", id: issueId }));
  });

  const get = Effect.fnUntraced(function* (issueId: string) {
    return yield* view.render(yield* view.row(issueId));
  });

  const inProject = (id: string, request: Request) =>
    pageOf(
      [id],
      request,
      Effect.map(references.project(id), (projectId) => ({ projects: [projectId] })),
    );

  const across = ({ projectId, ...request }: AcrossRequest, agentId?: string) =>
    pageOf(
      [projectId, agentId],
      request,
      Effect.map(Principal.CurrentPrincipal, (principal) => ({
        projects:
          projectId === undefined
            ? principal.projects
            : [...new Set(projectId)].filter((id) => Principal.sees(principal, id)),
        ...(agentId === undefined ? {} : { agentId }),
      })),
    );

  const full = Effect.fnUntraced(function* ({ searched: _, ...page }: Rows) {
    return { ...page, items: yield* view.renderAll(page.items) };
  });

  const brief = Effect.fnUntraced(function* ({ searched, ...page }: Rows) {
    return { ...page, items: yield* view.briefAll(page.items, searched) };
  });

  const list = Span.fn("Issues.list")(function* (id: string, request: Request = {}) {
    return yield* full(yield* inProject(id, request));
  });

  const listBrief = Span.fn("Issues.listBrief")(function* (id: string, request: Request = {}) {
    return yield* brief(yield* inProject(id, request));
  });

  const listAcross = Span.fn("Issues.listAcross")(function* (request: AcrossRequest = {}) {
    return yield* full(yield* across(request));
  });

  const listAcrossBrief = Span.fn("Issues.listAcrossBrief")(function* (
    request: AcrossRequest = {},
  ) {
    return yield* brief(yield* across(request));
  });

  const assigned = Span.fn("Issues.assigned")(function* (request: Request = {}) {
    const { agentId } = yield* Principal.CurrentPrincipal;
    if (agentId === null) return nothing;
    return yield* brief(yield* across(request, agentId));
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
