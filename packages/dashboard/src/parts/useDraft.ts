import { useCallback, useEffect, useState } from "react";

const keyOf = (name: string) => `quartermaster draft ${name}`;

/** A stored text; the empty text for none. */
export const readDraft = (name: string): string => {
  try {
    return localStorage.getItem(keyOf(name)) ?? "";
  } catch {
    return "";
  }
};

/** Stores a text; the empty text removes it. */
export const writeDraft = (name: string, text: string): void => {
  try {
    if (text === "") localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), text);
  } catch {
    // A browser without storage, or a full one, has the draft until the page is left.
  }
};

/** A text that is being typed. It survives a reload, and tabs share it; the empty text removes it. */
export const useDraft = (name: string): readonly [text: string, set: (text: string) => void] => {
  const [state, setState] = useState(() => ({ name, text: readDraft(name) }));
  const set = useCallback(
    (text: string) => {
      writeDraft(name, text);
      setState({ name, text });
    },
    [name],
  );
  useEffect(() => {
    // Another tab wrote the text or sent it. A text that differs from the other tab's stays.
    const onStorage = ({ key, newValue, oldValue }: StorageEvent) => {
      if (key !== keyOf(name)) return;
      setState((now) => {
        const text = now.name === name ? now.text : readDraft(name);
        return text === (oldValue ?? "") ? { name, text: newValue ?? "" } : now;
      });
    };
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [name]);
  return [state.name === name ? state.text : readDraft(name), set];
};
