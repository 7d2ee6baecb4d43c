import { useCallback, useRef, useState } from "react";
import { plainText } from "../data/ansi.ts";
import type { Line, Stream } from "../data/logLines.ts";
import type { Log as RunLog } from "../data/runLog.ts";
import { useCommands } from "../parts/commands.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { VirtualList, type VirtualListHandle } from "../parts/VirtualList.tsx";
import { LogBar } from "./LogBar.tsx";
import { LogLine } from "./LogLine.tsx";
import { useFollowing } from "./useFollowing.ts";
import { useShown } from "./useShown.ts";
import styles from "./RunPage.module.css";

const keyOf = (position: number) => position;

const download = (runId: string, lines: ReadonlyArray<Line>) => {
  const text = lines.map(({ missing, text }) =>
    missing === undefined ? `${plainText(text)}\n` : `[${missing} entries were dropped]\n`,
  );
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(text, { type: "text/plain" }));
  link.download = `${runId}.log`;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** The output of a run as it comes. It follows the end until the user scrolls up. */
export const Log = ({ log: read, runId }: { readonly log: RunLog; readonly runId: string }) => {
  const { dropped, error, isComplete, log, version } = read;
  const { lines } = log;
  const [stream, setStream] = useState<Stream | "all">("all");
  const [find, setFind] = useState<string>();
  const [isAllOpen, setAllOpen] = useState(false);
  /** The heads of blocks and the long lines that differ from `isAllOpen`. */
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<VirtualListHandle>(null);
  const accepts = useCallback(
    (line: Line) => {
      if (stream !== "all" && line.stream !== stream) return false;
      if (find !== undefined)
        return plainText(line.text).toLowerCase().includes(find.toLowerCase());
      const { block, n } = line;
      return block === undefined || block === n || isAllOpen !== toggled.has(block);
    },
    [find, isAllOpen, stream, toggled],
  );
  const shown = useShown(log, version, accepts);
  const { isFollowing, setFollowing } = useFollowing(list, shown.length, version);
  const toggle = (n: number) =>
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(n)) next.add(n);
      return next;
    });
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
  const row = (position: number) => {
    const line = lines[position];
    return line === undefined ? null : (
      <LogLine line={line} isOpen={isAllOpen !== toggled.has(line.n)} onToggle={toggle} />
    );
  };
  return (
    <section className={styles["log"]} aria-label="Log">
      <LogBar
        input={input}
        find={find}
        onFind={setFind}
        stream={stream}
        onStream={setStream}
        counts={{ shown: shown.length, all: lines.length, dropped }}
        isAllOpen={isAllOpen}
        onAllOpen={(open) => {
          setToggled(new Set());
          setAllOpen(open);
        }}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        onDownload={() => download(runId, lines)}
      />
      <ErrorNote error={error} />
      {shown.length === 0 ? (
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
          keyOf={keyOf}
          row={row}
          height={19}
          isFocusable
        />
      )}
    </section>
  );
};
