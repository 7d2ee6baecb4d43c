import { useEffect, useMemo, useRef, useState } from "react";
import { LogFilter } from "../data/logFilter.ts";
import type { Line, LogLines } from "../data/logLines.ts";

/** The time in milliseconds that a task may take for the filter. */
const slice = 12;

/**
 * The positions of the lines that match. They grow in place; the component renders again when they did. The positions of
 * the filter before stay until the new filter has gone over all lines, so that the list does not jump.
 */
export const useShown = (
  log: LogLines,
  version: number,
  accepts: (line: Line) => boolean,
): ReadonlyArray<number> => {
  const filter = useMemo(() => new LogFilter(log, accepts), [log, accepts]);
  const shown = useRef({ log, filter });
  const [, setSlices] = useState(0);
  const isMore = useMemo(
    () => filter.advance(slice),
    // oxlint-disable-next-line react/exhaustive-deps -- the log grows in place
    [filter, version],
  );
  useEffect(() => {
    if (!isMore) return undefined;
    let timer = setTimeout(function next() {
      if (filter.advance(slice)) timer = setTimeout(next);
      setSlices((count) => count + 1);
    });
    return () => clearTimeout(timer);
  }, [filter, isMore, version]);
  const { current } = shown;
  if (current.log !== log || filter.isComplete) shown.current = { log, filter };
  return shown.current.filter.positions;
};
