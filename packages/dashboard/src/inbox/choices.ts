/** The names of the keys that select an option of a question. */
export const choiceKeys = ["first", "second", "third"] as const;

/** The element of the shown item. */
export const shownItem = (): HTMLElement | null =>
  document.querySelector<HTMLElement>("article[data-item]");

/** The answers to a question that is confirmed or denied. */
export const confirms = [
  { text: "Yes", answer: "yes" },
  { text: "No", answer: "no" },
];
