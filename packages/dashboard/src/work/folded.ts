import { useState } from "react";
import { type Status, statuses } from "../data/issues/issues.ts";

/** The columns of the board that are folded, in the browser's storage. */

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
      // Without storage the columns are folded until the screen is left.
    }
  };
  return { folded, toggle };
};
