import { useCallback, useEffect, useState } from "react";
import { useData, useStore } from "../data/live/data.ts";
import { type Undoable, undoStore } from "../data/live/undo.ts";
import { useCommands } from "../parts/commands.ts";
import { sentenceOf } from "../parts/sentence.ts";
import { useToasts } from "../parts/toast.ts";
import { useWatched } from "../parts/watched.ts";

/** The time in milliseconds for which a change that was made is offered to be taken back. Ctrl+Z works longer. */
const offered = 8_000;

const toastId = "undo";

/** Offers to take back the latest change, and sends what waits when the user leaves. */
export const useUndo = (): void => {
  const { entries, sendAll } = useStore(undoStore);
  const { setLeaving } = useData();
  const { closeToast, toastAction, toastError } = useToasts();
  const all = useWatched(entries);
  const last = all.at(-1);
  const [over, setOver] = useState<Undoable | undefined>();
  const waiting = all.filter(({ isWaiting }) => isWaiting).length;
  const undo = useCallback(() => {
    last?.undo().catch((error: unknown) => toastError("Not undone", sentenceOf(error)));
  }, [last, toastError]);

  useCommands(
    [
      {
        id: "undo",
        title: "Undo the last change",
        section: "Everywhere",
        icon: "undo",
        keys: "mod+z",
        run: undo,
      },
    ],
    true,
  );
  useEffect(() => {
    if (last === undefined || last === over) closeToast(toastId);
    else {
      const others = last.isWaiting ? waiting - 1 : waiting;
      toastAction({
        id: toastId,
        title: last.title,
        description: others === 0 ? undefined : `${others} more can be undone`,
        action: { text: "Undo", keys: "mod+z", run: undo },
      });
    }
  }, [closeToast, last, over, toastAction, undo, waiting]);
  useEffect(() => {
    if (last === undefined || last.isWaiting) return undefined;
    const timer = setTimeout(() => setOver(last), offered);
    return () => clearTimeout(timer);
  }, [last]);

  useEffect(() => {
    const events = new AbortController();
    const { signal } = events;
    const leave = () => {
      setLeaving(true);
      void sendAll();
    };
    addEventListener("pagehide", leave, { signal });
    addEventListener("pageshow", () => setLeaving(false), { signal });
    return () => events.abort();
  }, [sendAll, setLeaving]);
};
