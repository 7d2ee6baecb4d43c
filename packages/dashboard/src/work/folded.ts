import { useState } from "react";
import { type Status, statuses } from "../data/issues/issues.ts";

/** The folded columns of the board, in the browser's storage. */

const name = "quartermaster.board";

const read = (): ReadonlySet<Status> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return new Set(statuses.filter((status) => Array.isArray(stored) && stored.includes(status)));
  } catch {
    return new Set();
  }
};

export const useFolded = () => {
  const [folded, setFolded] = useState(read);
  const toggle = (status: Status) => {
    const next = new Set(folded);
    if (!next.delete(status)) next.add(status);
    setFolded(next);
    try {
      localStorage.setItem(name, JSON.stringify([...next]));
    } catch {
      // Without storage, columns stay folded until the user leaves the screen.
    }
  };
  return { folded, toggle };
};
