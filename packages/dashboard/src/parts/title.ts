import { useEffect, useLayoutEffect } from "react";
import { useShared } from "./shared.ts";
import { useWatched, watched } from "./watched.ts";

const makeTitle = () => watched("");

/** Names the open screen in the title of the tab. */
export const useTitle = (name: string): void => {
  const title = useShared(makeTitle);
  useLayoutEffect(() => title.set(name), [title, name]);
};

/** Writes the title of the tab, such as `(39) Inbox · Quartermaster`. */
export const useTabTitle = (count: string | null): void => {
  const name = useWatched(useShared(makeTitle));
  useEffect(() => {
    const words = name === "" ? "Quartermaster" : `${name} · Quartermaster`;
    document.title = count === null ? words : `(${count}) ${words}`;
  }, [name, count]);
};
