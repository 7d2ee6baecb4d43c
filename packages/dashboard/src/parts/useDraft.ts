import { useCallback, useState } from "react";

const read = (name: string): string => {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
};

const write = (name: string, text: string): void => {
  try {
    if (text === "") localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // A browser without storage, or a full one, has the draft until the page is left.
  }
};

/** A text that is being typed. It survives a reload; the empty text removes it. */
export const useDraft = (name: string): readonly [text: string, set: (text: string) => void] => {
  const key = `draft ${name}`;
  const [state, setState] = useState(() => ({ key, text: read(key) }));
  const set = useCallback(
    (text: string) => {
      write(key, text);
      setState({ key, text });
    },
    [key],
  );
  return [state.key === key ? state.text : read(key), set];
};
