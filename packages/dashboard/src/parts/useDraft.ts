import { useCallback, useEffect, useState } from "react";

const keyOf = (name: string) => `quartermaster draft ${name}`;

/** The stored draft; empty if there is none. */
export const readDraft = (name: string): string => {
  try {
    return localStorage.getItem(keyOf(name)) ?? "";
  } catch {
    return "";
  }
};

/** Stores a draft. The empty text removes it. */
export const writeDraft = (name: string, text: string): void => {
  try {
    if (text === "") localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), text);
  } catch {
    // If storage is missing or full, the draft lasts until the page closes.
  }
};

/** A draft that survives a reload and that tabs share. The empty text removes it. */
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
    // Another tab changed or sent the draft. Takes the change only if the text here equals the other tab's
    // old text.
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
