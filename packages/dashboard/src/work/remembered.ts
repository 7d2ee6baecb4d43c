import { type WorkSearch, workSearch } from "./search.ts";

/**
 * The last filters of each project and the last filters used, in the browser's storage. The search text is
 * not stored.
 */

const name = "quartermaster.work";

/** The maximum number of projects whose filters are stored. */
const most = 100;

interface Remembered {
  readonly last: WorkSearch;
  readonly projects: ReadonlyArray<readonly [string, WorkSearch]>;
}

const nothing: Remembered = { last: {}, projects: [] };

const read = (): Remembered => {
  try {
    const { last = {}, projects = [] } = JSON.parse(localStorage.getItem(name) ?? "{}");
    return { last: workSearch(last), projects };
  } catch {
    return nothing;
  }
};

export const remember = ({ q: _, ...search }: WorkSearch): void => {
  const { projects } = read();
  const [project, ...others] = search.project ?? [];
  const isOne = project !== undefined && others.length === 0;
  try {
    localStorage.setItem(
      name,
      JSON.stringify({
        last: search,
        projects: isOne
          ? [[project, search], ...projects.filter(([id]) => id !== project)].slice(0, most)
          : projects,
      }),
    );
  } catch {
    // Without storage every visit starts unfiltered.
  }
};

/** Removes the projects from the last filters, because the user chose a project for every screen. */
export const forgetProject = (): void => remember({ ...read().last, project: undefined });

/** The last filters used; null if there are none. */
export const lastSearch = (): WorkSearch | null => {
  const { last } = read();
  return Object.values(last).every((value) => value === undefined) ? null : last;
};

/** The last filters of a project; null if there are none. */
export const searchOf = (project: string): WorkSearch | null => {
  const search = read().projects.find(([id]) => id === project)?.[1];
  return search === undefined ? null : { ...workSearch({ ...search }), project: [project] };
};
