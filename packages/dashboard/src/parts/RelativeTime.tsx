import { useSyncExternalStore } from "react";
import { useShared } from "./shared.ts";
import { watched } from "./watched.ts";

/** One timer for all times on the page: it runs while one of them is shown. */
const makeClock = () => {
  const now = watched(Date.now());
  let users = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    current: now.current,
    subscribe: (listener: () => void) => {
      if (users++ === 0) {
        now.set(Date.now());
        timer = setInterval(() => now.set(Date.now()), 15_000);
      }
      const stop = now.subscribe(listener);
      return () => {
        stop();
        if (--users === 0) clearInterval(timer);
      };
    },
  };
};

/** The time, four times a minute. */
export const useNow = (): number => {
  const { current, subscribe } = useShared(makeClock);
  return useSyncExternalStore(subscribe, current);
};

const units = [
  ["y", 31_536_000],
  ["mo", 2_592_000],
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
] as const;

/** `5m`, `3h`, `2d`: how long ago, or `in 5m`. */
export const ago = (iso: string, now: number): string => {
  const seconds = (now - Date.parse(iso)) / 1_000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["now", 1];
  if (unit === "now") return unit;
  // Times in the future are rounded: a key for 90 days expires in three months, even a minute
  // later.
  return seconds < 0
    ? `in ${Math.round(-seconds / length)}${unit}`
    : `${Math.floor(seconds / length)}${unit}`;
};

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A timestamp: relative, and exact on hover. */
export const RelativeTime = ({
  iso,
  now = "now",
  prefix,
}: {
  readonly iso: string;
  /** The words for less than a minute. */
  readonly now?: string;
  readonly prefix?: string;
}) => {
  const current = useNow();
  const title = exact.format(new Date(iso));
  const text = ago(iso, current);
  return (
    <time dateTime={iso} title={prefix === undefined ? title : `${prefix} ${title}`}>
      {text === "now" ? now : text}
    </time>
  );
};
