import type { InboxItem } from "@quartermaster/client";
import { useMutation } from "@tanstack/react-query";
import { useWatched, watched } from "../../parts/watched.ts";
import { type Data, useStore } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";

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

/** The identity of an inbox item, for use as a key. */
export const keyOf = (item: InboxItem): string => {
  const { agentId, callId, issueId, kind, questionId, serverId } = item;
  return `${kind} ${callId ?? questionId ?? issueId ?? serverId ?? agentId ?? ""}`;
};

const answerStore = ({ queries }: Data) => {
  const answers = watched<ReadonlyMap<string, Answer>>(new Map());
  const change = (item: InboxItem, fields: Partial<Answer>) => {
    const before = answers.current().get(keyOf(item)) ?? { text: "", isSent: false, error: null };
    answers.set(new Map(answers.current()).set(keyOf(item), { ...before, item, ...fields }));
  };
  const dismiss = (item: InboxItem) =>
    answers.set(new Map([...answers.current()].filter(([key]) => key !== keyOf(item))));
  const refresh = () => queries.invalidateQueries({ queryKey: ["inbox"] });
  return {
    answers,
    change,
    dismiss,
    /** Hides the item from the lists while the answer is sent, and shows it again if the server refuses. */
    settle: async (item: InboxItem, send: () => Promise<unknown>): Promise<void> => {
      change(item, { isSent: true, error: null });
      try {
        await send();
      } catch (error) {
        change(item, { isSent: false, error });
        void refresh();
        throw error;
      }
      queries.setQueriesData<{ readonly items: ReadonlyArray<InboxItem> }>(
        { queryKey: ["inbox"] },
        (list) =>
          list && { ...list, items: list.items.filter((other) => keyOf(other) !== keyOf(item)) },
      );
      await refresh();
      dismiss(item);
    },
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
