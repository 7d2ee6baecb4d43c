const load = () => import("@atlaskit/pragmatic-drag-and-drop/element/adapter");

type Adapter = Awaited<ReturnType<typeof load>>;

/** Attaches what needs drag and drop. Its code is loaded after the cards that a person drags. */
export const withDrag = (attach: (adapter: Adapter) => () => void): (() => void) => {
  let detach: (() => void) | null = null;
  let isOver = false;
  load().then(
    (adapter) => {
      if (!isOver) detach = attach(adapter);
    },
    // Without it the menu moves issues.
    () => {},
  );
  return () => {
    isOver = true;
    detach?.();
  };
};
