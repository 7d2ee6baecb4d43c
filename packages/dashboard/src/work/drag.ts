const load = () => import("@atlaskit/pragmatic-drag-and-drop/element/adapter");

type Adapter = Awaited<ReturnType<typeof load>>;

/**
 * Attaches drag and drop once its code is loaded, and returns a function that detaches it. Cards render
 * without waiting.
 */
export const withDrag = (attach: (adapter: Adapter) => () => void): (() => void) => {
  let detach: (() => void) | null = null;
  let isOver = false;
  load().then(
    (adapter) => {
      if (!isOver) detach = attach(adapter);
    },
    // If loading fails, users can still move issues by the menu.
    () => {},
  );
  return () => {
    isOver = true;
    detach?.();
  };
};
