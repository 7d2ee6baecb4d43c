import type { InboxItem, Page } from "@quartermaster/client";
import { type InfiniteData, useMutation } from "@tanstack/react-query";
import { useWatched, watched } from "../../parts/watched.ts";
import { type Data, useStore } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { Undone } from "../live/undo.ts";
import { keyOf } from "./identity.ts";

/** The prefix of the keys of lists of items. */
export const itemsKey = ["inbox", "items"] as const;

/**
 * A user's draft and answer for an inbox item. It outlives the screen. States:
 *
 * - written: `text` is not empty and nothing was sent;
 * - sent: `isSent` is true, and the lists omit the item;
 * - refused: `error` is set, and the lists show the item again, with the text.
 */
export interface Answer {
  readonly item: InboxItem;
  readonly text: string;
  readonly isSent: boolean;
  readonly error: unknown;
}

/** The refused ones of several answers, by the keys of their items. */
export type Refusals = ReadonlyMap<string, unknown>;

export const answerStore = ({ queries }: Data) => {
  const answers = watched<ReadonlyMap<string, Answer>>(new Map());
  const changeAll = (
    items: ReadonlyArray<InboxItem>,
    fieldsOf: (key: string) => Partial<Answer>,
  ) => {
    const next = new Map(answers.current());
    for (const item of items) {
      const key = keyOf(item);
      const before = next.get(key) ?? { text: "", isSent: false, error: null };
      next.set(key, { ...before, item, ...fieldsOf(key) });
    }
    answers.set(next);
  };
  const change = (item: InboxItem, fields: Partial<Answer>) => changeAll([item], () => fields);
  const dismissAll = (keys: ReadonlySet<string>) =>
    answers.set(new Map([...answers.current()].filter(([key]) => !keys.has(key))));
  const refresh = () => queries.invalidateQueries({ queryKey: ["inbox"] });
  const removeAll = (keys: ReadonlySet<string>) =>
    queries.setQueriesData<InfiniteData<Page<InboxItem>>>({ queryKey: itemsKey }, (list) =>
      list === undefined
        ? list
        : {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              items: page.items.filter((item) => !keys.has(keyOf(item))),
            })),
          },
    );

  /**
   * Hides items from the lists while their answers are sent. Items whose answer is refused return with the
   * reason; if `send` rejects, all of them. Items whose answer the user takes back return without one.
   */
  const settleAll = async (
    items: ReadonlyArray<InboxItem>,
    send: () => Promise<Refusals>,
  ): Promise<void> => {
    changeAll(items, () => ({ isSent: true, error: null }));
    let refusals: Refusals;
    try {
      refusals = await send();
    } catch (error) {
      if (error instanceof Undone) return changeAll(items, () => ({ isSent: false }));
      changeAll(items, () => ({ isSent: false, error }));
      void refresh();
      throw error;
    }
    const isRefused = (item: InboxItem) => refusals.has(keyOf(item));
    changeAll(items.filter(isRefused), (key) => ({ isSent: false, error: refusals.get(key) }));
    const accepted = items.filter((item) => !isRefused(item));
    const keys = new Set(accepted.map(keyOf));
    removeAll(keys);
    await refresh();
    dismissAll(keys);
  };

  return {
    answers,
    change,
    dismiss: (item: InboxItem) => dismissAll(new Set([keyOf(item)])),
    settleAll,
    settle: (item: InboxItem, send: () => Promise<unknown>): Promise<void> =>
      settleAll([item], async () => {
        await send();
        return new Map();
      }),
  };
};

export const useAnswers = (): ReadonlyMap<string, Answer> =>
  useWatched(useStore(answerStore).answers);

/** Discards the draft and the error of an item. */
export const useDismiss = () => useStore(answerStore).dismiss;

/** The draft for an item, with a setter. */
export const useText = (item: InboxItem): readonly [string, (text: string) => void] => {
  const { answers, change } = useStore(answerStore);
  const text = useWatched(answers).get(keyOf(item))?.text ?? "";
  return [text, (next) => change(item, { text: next })];
};

/** Sends the answer to an item. A refusal appears in its entry. */
export const useAnswer = (item: InboxItem) => {
  const { settle } = useStore(answerStore);
  return useMutation({
    meta: showsFailure,
    mutationFn: (send: () => Promise<unknown>) => settle(item, send),
  });
};

/** Sends one of several decisions about an item, such as one tool of a server. The item stays in the list. */
export const usePartOf = (item: InboxItem) => {
  const { change } = useStore(answerStore);
  return useMutation({
    meta: showsFailure,
    onMutate: () => change(item, { error: null }),
    onError: (error) => change(item, { error }),
    mutationFn: (send: () => Promise<unknown>) => send(),
  });
};
