import { useEffect, useMemo, useRef, useState } from "react";
import type { Line, Stream } from "../data/logLines.ts";
import type { Log as RunLog } from "../data/runLog.ts";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { FindField } from "../parts/FindField.tsx";
import { type Choice, Select } from "../parts/Select.tsx";
import { VirtualList, type VirtualListHandle } from "../parts/VirtualList.tsx";
import { plainText } from "./ansi.ts";
import { LogLine } from "./LogLine.tsx";
import styles from "./RunPage.module.css";

const choices: ReadonlyArray<Choice<Stream | "all">> = [
  { value: "all", label: "All" },
  { value: "stdout", label: "stdout" },
  { value: "stderr", label: "stderr" },
  { value: "host", label: "Host" },
];

const rowOf = (line: Line) => <LogLine line={line} />;

/** Pixels from the end within which the list counts as scrolled to its end. */
const nearEnd = 24;

const download = (runId: string, lines: ReadonlyArray<Line>) => {
  const text = lines.map((line) => `${plainText(line.text)}\n`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(text, { type: "text/plain" }));
  link.download = `${runId}.log`;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** The output of a run as it comes. It follows the end until the user scrolls up. */
export const Log = ({ log, runId }: { readonly log: RunLog; readonly runId: string }) => {
  const { dropped, error, isComplete, lines, version } = log;
  const [stream, setStream] = useState<Stream | "all">("all");
  const [find, setFind] = useState<string>();
  const [isFollowing, setFollowing] = useState(true);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<VirtualListHandle>(null);
  const shown = useMemo(() => {
    const wanted = find?.toLowerCase();
    if (stream === "all" && wanted === undefined) return lines.slice();
    return lines.filter(
      (line) =>
        (stream === "all" || line.stream === stream) &&
        (wanted === undefined || plainText(line.text).toLowerCase().includes(wanted)),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- `lines` grows in place
  }, [find, lines, stream, version]);
  const count = shown.length;
  useEffect(() => {
    if (isFollowing && count > 0) list.current?.scrollTo(count - 1);
  }, [count, isFollowing, version]);
  const isEmpty = count === 0;
  useEffect(() => {
    const element = isEmpty ? null : (list.current?.element ?? null);
    if (element === null) return undefined;
    const onWheel = () => {
      const { clientHeight, scrollHeight, scrollTop } = element;
      setFollowing(scrollHeight - scrollTop - clientHeight < nearEnd);
    };
    const events = ["wheel", "touchmove", "keyup", "pointerup"] as const;
    for (const event of events) element.addEventListener(event, onWheel, { passive: true });
    return () => {
      for (const event of events) element.removeEventListener(event, onWheel);
    };
  }, [isEmpty]);
  useCommands([
    {
      id: "find",
      title: "Find in the log",
      section: "Run",
      icon: "search",
      keys: "/",
      run: () => input.current?.focus(),
    },
    {
      id: "follow",
      title: isFollowing ? "Stop following the log" : "Follow the log",
      section: "Run",
      keys: "f",
      run: () => setFollowing(!isFollowing),
    },
  ]);
  return (
    <section className={styles["log"]} aria-label="Log">
      <div className={styles["bar"]}>
        <FindField label="Find in the log" value={find} onFind={setFind} input={input} />
        <Select label="Output" value={stream} choices={choices} onChange={setStream} />
        <span className={styles["count"]}>
          {count === lines.length ? `${count} lines` : `${count} of ${lines.length} lines`}
          {dropped === 0 ? "" : `, ${dropped} entries were dropped`}
        </span>
        <Button aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
          {isFollowing ? "Following" : "Follow"}
        </Button>
        <Button disabled={lines.length === 0} onClick={() => download(runId, lines)}>
          Download
        </Button>
      </div>
      <ErrorNote error={error} />
      {isEmpty ? (
        <p className={styles["empty"]}>
          {lines.length > 0
            ? "No line matches."
            : isComplete
              ? "The run has no output."
              : "Waiting for output."}
        </p>
      ) : (
        <VirtualList
          ref={list}
          className={styles["lines"]}
          label="Lines of the log"
          items={shown}
          keyOf={({ n }) => String(n)}
          row={rowOf}
          height={19}
          isFocusable
        />
      )}
    </section>
  );
};
