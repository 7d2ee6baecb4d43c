import { useCallback, useState } from "react";

/** A stored text; the empty text for none. */
export const readDraft = (name: string): string => {
  try {
    return localStorage.getItem(`quartermaster draft ${name}`) ?? "";
  } catch {
    return "";
  }
};

/** Stores a text; the empty text removes it. */
export const writeDraft = (name: string, text: string): void => {
  try {
    if (text === "") localStorage.removeItem(`quartermaster draft ${name}`);
    else localStorage.setItem(`quartermaster draft ${name}`, text);
  } catch {
    // A browser without storage, or a full one, has the draft until the page is left.
  }
};

/** A text that is being typed. It survives a reload; the empty text removes it. */
export const useDraft = (name: string): readonly [text: string, set: (text: string) => void] => {
  const [state, setState] = useState(() => ({ name, text: readDraft(name) }));
  const set = useCallback(
    (text: string) => {
      writeDraft(name, text);
      setState({ name, text });
    },
    [name],
  );
  return [state.name === name ? state.text : readDraft(name), set];
};
