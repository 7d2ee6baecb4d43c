import * as Corpus from "./corpus.ts";
import type { Request } from "./load.ts";

/** The requests of each measurement, for the given numbers of seeded issues and projects. */

const variants = 500;

/** Numbers from 1 to `issues`, spread evenly over all of them in an order without pattern. */
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

/** Lists by a query, which may name the issue of the number. With 1,000 issues a page has to be full as well. */
export const listBy =
  (query: string | ((index: number) => string), limit?: number) =>
  (issues: number, projects: number) =>
    each(issues, (index) =>
      listing(`&${typeof query === "string" ? query : query(index)}`, limit)(index, projects),
    );

/** The same over all projects. */
export const acrossBy =
  (query: string) =>
  (issues: number): ReadonlyArray<Request> =>
    each(issues, () => `/api/projects/issues?limit=50&${query}`);

export const projects = (issues: number) => each(issues, () => "/api/projects?limit=50");

export const inbox = (issues: number) => each(issues, () => "/api/inbox?limit=50");

/** One issue is found. */
export const findRare = (issues: number, projects: number) =>
  each(issues, (index) => listing(`&q=${Corpus.rareWord(index)}`)(index, projects));

/** A quarter of the issues is found, of which the newest 50 are answered. */
export const findCommon = (issues: number, projects: number) =>
  each(issues, (index) => listing(`&q=${Corpus.commonWords.join("+")}`)(index, projects));

/** In a project of their own, so that the lists stay as they are. */
export const create = (): ReadonlyArray<Request> =>
  Array.from({ length: variants }, (_, index) => {
    const { title, description } = Corpus.issue(index + 1, 1);
    return {
      method: "POST",
      path: "/api/projects/created/issues",
      body: JSON.stringify({ title, description, priority: "high" }),
    };
  });
