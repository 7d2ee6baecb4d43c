import type { InboxItem } from "@quartermaster/client";
import { useMutation } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { queryClient, showsFailure } from "../live/query.ts";

/**
 * What a person wrote and sent for an item of the inbox, also while the screen is closed. States:
 *
 * - written: `text` is not empty, and nothing was sent;
 * - sent: `isSent`. The item is in no list;
 * - refused: `error` is set. The item is listed again, with the text.
 */
export interface Answer {
  readonly item: InboxItem;
  readonly text: string;
  readonly isSent: boolean;
  readonly error: unknown;
}

/** What tells items apart. */
export const keyOf = ({ agentId, issueId, kind, questionId, serverId }: InboxItem): string =>
  `${kind} ${questionId ?? issueId ?? serverId ?? agentId ?? ""}`;

let answers: ReadonlyMap<string, Answer> = new Map();
const listeners = new Set<() => void>();

const publish = (next: ReadonlyMap<string, Answer>) => {
  answers = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const change = (item: InboxItem, fields: Partial<Answer>) => {
  const before = answers.get(keyOf(item)) ?? { text: "", isSent: false, error: null };
  publish(new Map(answers).set(keyOf(item), { ...before, item, ...fields }));
};

/** Forgets the text and the error of an item. */
export const dismiss = (item: InboxItem): void => {
  publish(new Map([...answers].filter(([key]) => key !== keyOf(item))));
};

export const useAnswers = (): ReadonlyMap<string, Answer> =>
  useSyncExternalStore(subscribe, () => answers);

/** The text that is written for an item. */
export const useText = (item: InboxItem): readonly [string, (text: string) => void] => {
  const text = useAnswers().get(keyOf(item))?.text ?? "";
  return [text, (next) => change(item, { text: next })];
};

const refresh = () => queryClient.invalidateQueries({ queryKey: ["inbox"] });

const removeFromLists = (item: InboxItem) =>
  queryClient.setQueriesData<{ readonly items: ReadonlyArray<InboxItem> }>(
    { queryKey: ["inbox"] },
    (list) =>
      list && { ...list, items: list.items.filter((other) => keyOf(other) !== keyOf(item)) },
  );

/** Takes the item out of the lists until the server refuses what is sent. */
const settle = async (item: InboxItem, send: () => Promise<unknown>) => {
  change(item, { isSent: true, error: null });
  try {
    await send();
  } catch (error) {
    change(item, { isSent: false, error });
    void refresh();
    throw error;
  }
  removeFromLists(item);
  await refresh();
  dismiss(item);
};

/** Sends the answer to an item. The entry shows a refusal. */
export const useAnswer = (item: InboxItem) =>
  useMutation({
    meta: showsFailure,
    mutationFn: (send: () => Promise<unknown>) => settle(item, send),
  });

/** Changes a part of what the item is about. The item stays. */
export const usePartOf = (item: InboxItem) =>
  useMutation({
    meta: showsFailure,
    onMutate: () => change(item, { error: null }),
    onError: (error) => change(item, { error }),
    mutationFn: (send: () => Promise<unknown>) => send(),
  });
