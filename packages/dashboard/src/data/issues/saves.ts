import { type Issue, type IssueUpdate, isProblem } from "@quartermaster/client";
import type { Data } from "../live/data.ts";

/** An issue as the user saw it. A change of another caller conflicts only in fields that are here. */
export type Seen = Pick<Issue, "id" | "version"> & Partial<Issue>;

/** Another caller changed the same field since the user saw it. */
export class Conflict extends Error {
  override readonly name = "Conflict";
  readonly actual: Issue;
  constructor(actual: Issue, options: ErrorOptions) {
    super("Someone else changed it in the meantime. Your text is not lost.", options);
    this.actual = actual;
  }
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Sends the changes of the user. The changes of an issue are sent one after the other: each one is based on what the
 * page shows, which includes the changes before it, so they do not conflict with each other.
 */
export const saves = ({ api, warn }: Data) => {
  const queues = new Map<string, Promise<unknown>>();
  /** The versions that the user's own changes led to, by issue and by the version before. */
  const own = new Map<string, number>();
  const made = new Set<string>();

  const latest = (id: string, version: number): number => {
    const next = own.get(`${id} ${version}`);
    return next === undefined ? version : latest(id, next);
  };
  const inTurn = <A>(id: string, run: () => Promise<A>): Promise<A> => {
    const result = (queues.get(id) ?? Promise.resolve()).then(run, run);
    queues.set(id, result);
    const end = () => queues.get(id) === result && queues.delete(id);
    result.then(end, end);
    return result;
  };
  const once = async <A extends Issue | void>(
    id: string,
    version: number,
    send: (ifMatch: number) => Promise<A>,
  ): Promise<A> => {
    const before = latest(id, version);
    const saved = await send(before);
    if (saved !== undefined && saved.version > before) {
      own.set(`${id} ${before}`, saved.version);
      made.add(`${id} ${saved.version}`);
    }
    return saved;
  };
  /** Sends a change again after a change of another caller, as long as the issue still is as the change expects it. */
  const save = <A extends Issue | void>(
    { id, version }: Seen,
    send: (ifMatch: number) => Promise<A>,
    accept: (actual: Issue, problem: unknown) => A | null,
  ): Promise<A> =>
    inTurn(id, async () => {
      let known = version;
      for (let attempt = 0; ; attempt++) {
        try {
          return await once(id, known, send);
        } catch (error) {
          if (!isProblem(error, "precondition-failed") || attempt === 5) throw error;
          const actual = await api.issues.get({ issueId: id });
          const accepted = accept(actual, error);
          if (accepted !== null) return accepted;
          known = actual.version;
        }
      }
    });

  return {
    /** Whether the user's own change led to this version. */
    isOwn: (id: string, version: number): boolean => made.has(`${id} ${version}`),
    /** The change of an issue that is being sent; undefined for none. */
    sending: (id: string): Promise<unknown> | undefined => queues.get(id),
    /** The version that a version has become by the user's own changes. */
    latest,
    /** Deletes, closes or otherwise decides on all that the user saw: every change of another caller is a conflict. */
    decide: <A extends Issue | void>(
      seen: Seen,
      send: (ifMatch: number) => Promise<A>,
    ): Promise<A> => inTurn(seen.id, () => once(seen.id, seen.version, send)),
    /** Pauses or resumes. Only another caller's pause or resumption is a conflict. */
    pause: (seen: Seen, send: (ifMatch: number) => Promise<void>): Promise<void> =>
      save(seen, send, (actual, problem) => {
        if (actual.paused !== seen.paused) throw new Conflict(actual, { cause: problem });
        return null;
      }),
    /**
     * Sends fields. Another caller's change to other fields does not conflict, unless the status changes: the user
     * decided it by all of the issue.
     */
    fields: (seen: Seen, change: IssueUpdate): Promise<Issue> => {
      const names = Object.keys(change) as ReadonlyArray<keyof IssueUpdate & keyof Issue>;
      return save(
        seen,
        async (ifMatch) => {
          const saved = await api.issues.update({ issueId: seen.id, ...change }, { ifMatch });
          warn(saved);
          return saved;
        },
        (actual, problem) => {
          // Equal fields: an earlier request succeeded, but its response was lost.
          if (names.every((name) => isEqual(actual[name], change[name] ?? null))) return actual;
          const isStale = names.some((name) => name in seen && !isEqual(actual[name], seen[name]));
          if ("status" in change || isStale) throw new Conflict(actual, { cause: problem });
          return null;
        },
      );
    },
  };
};
