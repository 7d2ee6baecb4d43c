import { useCallback, useRef, useState } from "react";
import { plainText } from "../data/ansi.ts";
import type { Line, Stream } from "../data/logLines.ts";
import type { Log as RunLog } from "../data/runLog.ts";
import { useCommands } from "../parts/commands.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { LogBar } from "./LogBar.tsx";
import { LogLine } from "./LogLine.tsx";
import { LogRows } from "./LogRows.tsx";
import { useShown } from "./useShown.ts";
import styles from "./RunPage.module.css";

/** Lines that one task turns into text. */
const slice = 5_000;

/** Saves the lines as a file, without colors. */
const download = async (runId: string, lines: ReadonlyArray<Line>) => {
  const text: Array<string> = [];
  for (let from = 0; from < lines.length; from += slice) {
    for (const { missing, text: line } of lines.slice(from, from + slice)) {
      text.push(
        missing === undefined ? `${plainText(line)}\n` : `[${missing} entries were dropped]\n`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
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
  const [isFollowing, setFollowing] = useState(true);
  const toggle = useCallback(
    (n: number) =>
      setToggled((before) => {
        const next = new Set(before);
        if (!next.delete(n)) next.add(n);
        return next;
      }),
    [],
  );
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
        onDownload={() => void download(runId, lines)}
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
        <LogRows
          label="Lines of the log"
          items={shown}
          row={row}
          isFollowing={isFollowing}
          onFollowing={setFollowing}
        />
      )}
    </section>
  );
};
