import { Context, Effect, Layer } from "effect";
import * as Principal from "../access/Principal.ts";
import * as Role from "../access/Role.ts";
import { AgentStore } from "../agents/AgentStore.ts";
import type { InvalidRequest, StorageError } from "../CommonErrors.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import { Issues } from "../issues/Issues.ts";
import { ProjectStore } from "../issues/ProjectStore.ts";
import { McpServerStore } from "../mcp/McpServerStore.ts";
import * as Folding from "../search/Folding.ts";
import * as Matching from "../search/Matching.ts";
import * as Snippet from "../search/Snippet.ts";
import * as Timestamp from "../Timestamp.ts";
import { type Finding, FindingRequest } from "./Finding.ts";

/** Projects, agents and servers are few, and their names are all that is searched. */
const mostNamed = 2_000;
/** The hits of each kind except issues, so that issues have room. */
const mostOfKind = 5;

interface Named {
  readonly kind: "project" | "agent" | "server";
  readonly id: string;
  readonly title: string;
}

/** The hits among names. An exact id or name comes first. */
const among = (
  named: ReadonlyArray<Named>,
  q: string,
  words: ReadonlyArray<string>,
): ReadonlyArray<Finding> => {
  const isExact = ({ id, title }: Named) =>
    [id, title].some((name) => Folding.fold(name) === Folding.fold(q.trim()));
  return named
    .flatMap((item) => {
      const texts = {
        title: [...new Set([item.title, item.id])],
        labels: [],
        description: [],
        files: [],
        comments: [],
        key: [],
      };
      return Matching.tierOf(texts, words) === undefined
        ? []
        : [{ item, isExact: isExact(item), ...Snippet.of(texts, words) }];
    })
    .toSorted((a, b) => Number(b.isExact) - Number(a.isExact))
    .slice(0, mostOfKind)
    .map(({ item, matchedIn, snippet }) => ({
      ...item,
      key: null,
      projectId: item.kind === "project" ? item.id : null,
      matchedIn,
      snippet,
    }));
};

/** A search over everything that has a name or a title. */
export class Search extends Context.Service<
  Search,
  {
    /**
     * Returns projects, agents and servers whose names have all words, at most 5 of each, and then
     * issues by relevance, as many as `limit` has room for. Servers only for an Admin that is bound to
     * no project. Fails with `InvalidRequest` for a value out of its bounds.
     *
     * @example
     * ```ts
     * import { Issues, Search } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const search = yield* Search.Search;
     *   yield* issues.create("shop", { title: "Refund orders" });
     *   const found = yield* search.find({ q: "refu" });
     *   return found.map(({ kind, title }) => [kind, title]); // [["issue","Refund orders"]]
     * });
     * ```
     */
    find(
      request: typeof FindingRequest.Encoded,
    ): Effect.Effect<
      ReadonlyArray<Finding>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
  }
>()("@quartermaster/core/finding/Search") {
  static readonly layerNoDeps = Layer.effect(
    Search,
    Effect.gen(function* () {
      const issues = yield* Issues;
      const projects = yield* ProjectStore;
      const agents = yield* AgentStore;
      const servers = yield* McpServerStore;
      const decode = Input.decoder(FindingRequest);

      const find = Span.fn("Search.find")(function* (request: typeof FindingRequest.Encoded) {
        const { limit = 20, q } = yield* decode(request);
        const words = Matching.wordsOf(q);
        if (words.length === 0) return [];
        const { items } = yield* issues.listAcrossBrief({ q, sort: "relevance", limit });
        const principal = yield* Principal.CurrentPrincipal;
        const isAdmin = Role.includes(principal.role, "Admin") && principal.projects === null;
        const slice = { limit: mostNamed, order: "asc", after: null } as const;
        const now = yield* Timestamp.now;
        const named: ReadonlyArray<ReadonlyArray<Named>> = [
          (yield* projects.list(principal.projects, slice)).map(({ id, name }) => ({
            kind: "project",
            id,
            title: name ?? id,
          })),
          (yield* agents.list(principal.projects, now, slice)).map(({ id, name }) => ({
            kind: "agent",
            id,
            title: name,
          })),
          isAdmin
            ? (yield* servers.list).map(({ id, name }) => ({ kind: "server", id, title: name }))
            : [],
        ];
        const found = items.map(
          ({ id, key, matchedIn = [], projectId, snippet = null, title }): Finding => ({
            kind: "issue",
            id,
            key,
            projectId,
            title,
            matchedIn,
            snippet,
          }),
        );
        return [...named.flatMap((kind) => among(kind, q, words)), ...found].slice(0, limit);
      });

      return Search.of({ find });
    }),
  );
}
