/** The tools that are rendered, from top to bottom. */
const rows = (): ReadonlyArray<HTMLElement> =>
  [...document.querySelectorAll<HTMLElement>("[data-tool]")].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );

/** Moves the focus to the next or previous tool, from the open one if none has it. Returns its id. */
export const step = (by: 1 | -1, open: string | undefined): string | undefined => {
  const all = rows();
  const focused = all.indexOf(document.activeElement as HTMLElement);
  const from = focused === -1 ? all.findIndex((row) => row.dataset["tool"] === open) : focused;
  const next = all[from === -1 ? 0 : from + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
  return next?.dataset["tool"];
};
