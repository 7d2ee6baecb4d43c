import * as Corpus from "./corpus.ts";
import type { Request } from "./load.ts";

/** The requests of each measurement, for the given numbers of seeded issues and projects. */

const variants = 500;

/** The numbers from 1 to `issues`, spread evenly in an order without a pattern. */
const spread = (issues: number) =>
  Array.from(
    { length: Math.min(variants, issues) },
    (_, index) => 1 + (Math.floor(((index * 0.618_033_988_75) % 1) * issues) % issues),
  );

const listing =
  (query: string, limit = 50) =>
  (index: number, projects: number) =>
    `/api/projects/${Corpus.project(index % projects)}/issues?limit=${limit}${query}`;

const each = (issues: number, path: (index: number) => string): ReadonlyArray<Request> =>
  spread(issues).map((index) => ({ method: "GET", path: path(index) }));

export const get = (issues: number) =>
  each(issues, (index) => `/api/projects/issues/${Corpus.issueId(index)}`);

export const list = (issues: number, projects: number) =>
  each(issues, (index) => listing("")(index, projects));

/**
 * Lists by a query, which may contain the issue of the number. A page is full even with 1,000
 * issues.
 */
export const listBy =
  (query: string | ((index: number) => string), limit?: number) =>
  (issues: number, projects: number) =>
    each(issues, (index) =>
      listing(`&${typeof query === "string" ? query : query(index)}`, limit)(index, projects),
    );

/** The same lists over all projects. */
export const acrossBy =
  (query: string) =>
  (issues: number): ReadonlyArray<Request> =>
    each(issues, () => `/api/projects/issues?limit=50&${query}`);

export const projects = (issues: number) => each(issues, () => "/api/projects?limit=50");

export const inbox = (issues: number) => each(issues, () => "/api/inbox?limit=50");

/** A search that finds one issue. */
export const findRare = (issues: number, projects: number) =>
  each(issues, (index) => listing(`&q=${Corpus.rareWord(index)}`)(index, projects));

/** A search that finds a quarter of the issues and returns the newest 50. */
export const findCommon = (issues: number, projects: number) =>
  each(issues, (index) => listing(`&q=${Corpus.commonWords.join("+")}`)(index, projects));

/** Creates issues in a separate project, so that the lists do not change. */
export const create = (): ReadonlyArray<Request> =>
  Array.from({ length: variants }, (_, index) => {
    const { title, description } = Corpus.issue(index + 1, 1);
    return {
      method: "POST",
      path: "/api/projects/created/issues",
      body: JSON.stringify({ title, description, priority: "high" }),
    };
  });
