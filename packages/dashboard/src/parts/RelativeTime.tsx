import { useSyncExternalStore } from "react";
import { useShared } from "./shared.ts";
import { watched } from "./watched.ts";

/** One timer for all times on the page. It runs only while a component subscribes. */
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

/** The current time in milliseconds, updated every 15 seconds. */
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

/** A relative time: `5m`, `3h` or `2d` for the past, `in 5m` for the future. */
export const ago = (iso: string, now: number): string => {
  const seconds = (now - Date.parse(iso)) / 1_000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["now", 1];
  if (unit === "now") return unit;
  // Rounds future times and truncates past ones: a key for 90 days shows three months, even a minute later.
  return seconds < 0
    ? `in ${Math.round(-seconds / length)}${unit}`
    : `${Math.floor(seconds / length)}${unit}`;
};

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A timestamp in the reader's language and time zone. */
export const exactTime = (iso: string): string => exact.format(new Date(iso));

/** A relative timestamp with the exact time as its tooltip. */
export const RelativeTime = ({
  iso,
  now = "now",
  prefix,
}: {
  readonly iso: string;
  /** The text for less than a minute. */
  readonly now?: string;
  readonly prefix?: string;
}) => {
  const current = useNow();
  const title = exactTime(iso);
  const text = ago(iso, current);
  return (
    <time dateTime={iso} title={prefix === undefined ? title : `${prefix} ${title}`}>
      {text === "now" ? now : text}
    </time>
  );
};
