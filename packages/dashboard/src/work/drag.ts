const load = () => import("@atlaskit/pragmatic-drag-and-drop/element/adapter");

/**
 * Runs with the code that drags, which is loaded once the board is shown. Returns what ends it. Without the code
 * nothing is dragged: the menu of a card moves it as well.
 */
export const withDrag = (
  attach: (drag: Awaited<ReturnType<typeof load>>) => () => void,
): (() => void) => {
  let detach = () => {};
  let isEnded = false;
  load().then(
    (drag) => {
      if (!isEnded) detach = attach(drag);
    },
    () => {},
  );
  return () => {
    isEnded = true;
    detach();
  };
};
