import { watched } from "../../parts/watched.ts";

/**
 * A change that the user can take back. States of an entry:
 *
 * - waiting: the page shows the change, and sends it after `delay`. Undo drops it.
 * - made: the server has the change. Undo makes the opposite change.
 */
export interface Undoable {
  readonly id: number;
  /** The change in words, such as `Resolving SHOP-12…`. */
  readonly title: string;
  readonly isWaiting: boolean;
  /** Takes the change back. Rejects if the server refuses. */
  readonly undo: () => Promise<void>;
}

/** The user took the change back before it was sent. */
export class Undone extends Error {
  override readonly name = "Undone";
  override readonly message = "The change was taken back.";
}

/** The time in milliseconds from a change to its request. */
const delay = 5_000;

/** The number of changes that can be taken back. */
const most = 20;

export const undoStore = () => {
  const entries = watched<ReadonlyArray<Undoable>>([]);
  /** The changes that wait, by the ids of their entries: their issues, and the function that sends or drops them. */
  const holds = new Map<
    number,
    {
      readonly ids: ReadonlySet<string>;
      /** Resolves when all requests ended. */
      readonly end: (how: "send" | "leave" | "drop") => Promise<void>;
    }
  >();
  let count = 0;

  const drop = (id: number) => entries.set(entries.current().filter((one) => one.id !== id));
  const add = (entry: Undoable) => entries.set([...entries.current(), entry].slice(-most));
  const end = async (
    how: "send" | "leave",
    isMeant: (ids: ReadonlySet<string>) => boolean,
  ): Promise<void> => {
    const meant = [...holds.values()].filter(({ ids }) => isMeant(ids));
    await Promise.all(meant.map((hold) => hold.end(how)));
  };

  return {
    entries,
    /**
     * Holds a change of these issues back for 5 s. The returned function takes what sends the change, which gets
     * whether the user leaves the page, so that a second request must not wait for the first. Its promise
     * rejects with `Undone` if the user takes the change back.
     */
    hold: (title: string, ids: ReadonlyArray<string>) => {
      const id = ++count;
      const runs: Array<(how: "send" | "leave" | "drop") => Promise<unknown>> = [];
      const finish = async (how: "send" | "leave" | "drop") => {
        clearTimeout(timer);
        holds.delete(id);
        drop(id);
        await Promise.allSettled(runs.map((run) => run(how)));
      };
      const timer = setTimeout(() => void finish("send"), delay);
      holds.set(id, { ids: new Set(ids), end: finish });
      add({ id, title, isWaiting: true, undo: () => finish("drop") });
      return <A>(run: (isLeaving: boolean) => Promise<A>): Promise<A> =>
        new Promise((resolve, reject) => {
          runs.push((how) => {
            const sent = how === "drop" ? Promise.reject(new Undone()) : run(how === "leave");
            sent.then(resolve, reject);
            return sent;
          });
        });
    },
    /** Offers to take back a change that the server has. */
    offer: (title: string, undo: () => Promise<void>): void => {
      const id = ++count;
      add({
        id,
        title,
        isWaiting: false,
        undo: () => {
          drop(id);
          return undo();
        },
      });
    },
    /** Sends the held changes of an issue now, because another change follows them. */
    sendNow: (issueId: string): void => void end("send", (ids) => ids.has(issueId)),
    /** Sends all held changes, because the user leaves the page. Resolves when all requests ended. */
    sendAll: (): Promise<void> => end("leave", () => true),
  };
};
