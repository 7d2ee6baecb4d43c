import type { Issue } from "@quartermaster/client";
import { useSyncExternalStore } from "react";
import { readDraft, writeDraft } from "../../parts/useDraft.ts";
import { type Data, useStore } from "../live/data.ts";
import { issueStore } from "./issueStore.ts";
import { Conflict, saves } from "./saves.ts";

export { Conflict } from "./saves.ts";

/**
 * The drafts of titles and descriptions. They outlive the page of the issue. States of a text:
 *
 * - clean: the server has saved the text;
 * - dirty: the browser stores the text. A description is sent one second after the last key, a title by
 *   `finish`;
 * - sending: `isSending` is true. A description typed in the meantime is sent afterward; a title waits for the next
 *   `finish`, so that Escape still discards it;
 * - refused: `error` is set. After a conflict the user chooses `keepMine` or `discard`; after another
 *   refusal the next key retries.
 */
export type Field = "title" | "description";

export type Base = Pick<Issue, "id" | "title" | "description" | "version">;

export interface Text {
  /** The server's text when the user started typing. */
  readonly base: Base;
  readonly text: string;
  readonly isSending: boolean;
  readonly error: unknown;
}

const pauseMillis = 1_000;

const keyOf = (field: Field, id: string) => `${field} ${id}`;

const savedOf = (base: Base, field: Field): string => base[field] ?? "";

const isDirty = ({ base, text }: Text, field: Field) => text !== savedOf(base, field);

const parse = (stored: string): Text | null => {
  try {
    return {
      ...(JSON.parse(stored) as Pick<Text, "base" | "text">),
      isSending: false,
      error: null,
    };
  } catch {
    return null;
  }
};

/** The unsaved texts, in memory and in the browser's storage. */
const makeDrafts = () => {
  const texts = new Map<string, Text | null>();
  const listeners = new Set<() => void>();
  return {
    load: (field: Field, id: string): Text | null => {
      const key = keyOf(field, id);
      if (!texts.has(key)) texts.set(key, parse(readDraft(key)));
      return texts.get(key) ?? null;
    },
    set: (field: Field, id: string, next: Text | null): void => {
      const key = keyOf(field, id);
      texts.set(key, next);
      const { description, title, version } = next?.base ?? {};
      writeDraft(
        key,
        next !== null && isDirty(next, field)
          ? JSON.stringify({ text: next.text, base: { id, title, description, version } })
          : "",
      );
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Saves a text. Changes to other fields, and an equal text on the server, are not conflicts. */
const sender = (data: Data) => {
  const { put } = data.store(issueStore);
  const save = data.store(saves);
  return async (base: Base, field: Field, text: string): Promise<Issue> => {
    try {
      const saved = await save.fields(base, {
        [field]: text === "" && field === "description" ? null : text,
      });
      put(saved);
      return saved;
    } catch (error) {
      if (error instanceof Conflict) put(error.actual);
      throw error;
    }
  };
};

const textStore = (data: Data) => {
  const { load, set, subscribe } = makeDrafts();
  const send = sender(data);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const inFlight = new Map<string, Promise<void>>();

  const stopTimer = (key: string) => {
    clearTimeout(timers.get(key));
    timers.delete(key);
  };
  const save = async (field: Field, id: string): Promise<void> => {
    stopTimer(keyOf(field, id));
    const text = load(field, id);
    if (text === null || text.isSending || !isDirty(text, field)) return;
    set(field, id, { ...text, isSending: true, error: null });
    try {
      const saved = await send(text.base, field, text.text);
      const now = load(field, id);
      if (now === null) return;
      set(field, id, { ...now, base: saved, isSending: false });
      if (isDirty({ ...now, base: saved }, field)) schedule(field, id);
    } catch (error) {
      const now = load(field, id);
      if (now !== null) set(field, id, { ...now, isSending: false, error });
    }
  };
  const run = (field: Field, id: string): Promise<void> => {
    const key = keyOf(field, id);
    const sent = (inFlight.get(key) ?? Promise.resolve()).then(() => save(field, id));
    inFlight.set(key, sent);
    return sent;
  };
  const schedule = (field: Field, id: string): void => {
    if (field !== "description") return;
    const key = keyOf(field, id);
    stopTimer(key);
    timers.set(
      key,
      setTimeout(() => void run(field, id), pauseMillis),
    );
  };
  /** Saves pending text. Resolves with whether the server has all of it. */
  const finish = async (field: Field, id: string): Promise<boolean> => {
    const wanted = load(field, id)?.text;
    for (;;) {
      await inFlight.get(keyOf(field, id));
      const text = load(field, id);
      if (text === null || !isDirty(text, field)) return true;
      if (text.error instanceof Conflict) return false;
      if (field === "title" && text.text !== wanted) return false;
      await run(field, id);
      if (load(field, id)?.error != null) return false;
    }
  };

  return {
    load,
    subscribe,
    finish,
    /** Sends a description that an earlier page stored but did not save. */
    resume: (field: Field, id: string): void => {
      if (load(field, id) !== null) schedule(field, id);
    },
    /** Records the text as the user types it. */
    write: (issue: Issue, field: Field, text: string): void => {
      const known = load(field, issue.id);
      const isBased =
        known !== null && (isDirty(known, field) || known.base.version >= issue.version);
      const error = known?.error instanceof Conflict ? known.error : null;
      const isSending = known?.isSending ?? false;
      set(field, issue.id, { base: isBased ? known.base : issue, text, isSending, error });
      if (error === null) schedule(field, issue.id);
    },
    /** Discards the unsaved text. */
    discard: (field: Field, id: string): void => {
      stopTimer(keyOf(field, id));
      set(field, id, null);
    },
    /** Saves the user's text over the version of another caller. */
    keepMine: (field: Field, actual: Issue): Promise<boolean> => {
      const known = load(field, actual.id);
      if (known !== null) set(field, actual.id, { ...known, base: actual, error: null });
      return finish(field, actual.id);
    },
  };
};

export const useTexts = () => useStore(textStore);

/** The draft of the text, or the saved text if there is no draft. */
export const useText = (issue: Issue, field: Field): Text & { readonly isDirty: boolean } => {
  const { load, subscribe } = useTexts();
  const known = useSyncExternalStore(subscribe, () => load(field, issue.id));
  const isOld = known === null || (!isDirty(known, field) && known.base.version < issue.version);
  const text = isOld
    ? { base: issue, text: savedOf(issue, field), isSending: false, error: null }
    : known;
  return { ...text, isDirty: isDirty(text, field) };
};
