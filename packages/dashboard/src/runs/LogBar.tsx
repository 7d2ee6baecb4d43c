import type { RefObject } from "react";
import type { Stream } from "../data/logLines.ts";
import { Button } from "../parts/Button.tsx";
import { FindField } from "../parts/FindField.tsx";
import styles from "./RunPage.module.css";

const streams = [
  ["all", "All"],
  ["stdout", "stdout"],
  ["stderr", "stderr"],
  ["host", "Host"],
] as const;

const counted = new Intl.NumberFormat("en");

/** The tools above a log: search, streams, blocks, follow and download. */
export const LogBar = ({
  counts: { all, dropped, shown },
  find,
  input,
  isAllOpen,
  isFollowing,
  onAllOpen,
  onDownload,
  onFind,
  onFollow,
  onStream,
  stream,
}: {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly find: string | undefined;
  readonly onFind: (text: string | undefined) => void;
  readonly stream: Stream | "all";
  readonly onStream: (stream: Stream | "all") => void;
  readonly counts: { readonly shown: number; readonly all: number; readonly dropped: number };
  readonly isAllOpen: boolean;
  readonly onAllOpen: (isOpen: boolean) => void;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  readonly onDownload: () => void;
}) => (
  <div className={styles["bar"]}>
    <FindField label="Find in the log" value={find} onFind={onFind} input={input} />
    <div className={styles["streams"]} role="group" aria-label="Output">
      {streams.map(([value, label]) => (
        <Button
          key={value}
          small
          variant="quiet"
          aria-pressed={stream === value}
          onClick={() => onStream(value)}
        >
          {label}
        </Button>
      ))}
    </div>
    <span className={styles["count"]}>
      {shown === all
        ? `${counted.format(all)} lines`
        : `${counted.format(shown)} of ${counted.format(all)} lines`}
      {dropped === 0 ? "" : `, ${counted.format(dropped)} entries were dropped`}
    </span>
    <Button small aria-pressed={isAllOpen} onClick={() => onAllOpen(!isAllOpen)}>
      Unfold all
    </Button>
    <Button small aria-pressed={isFollowing} onClick={() => onFollow(!isFollowing)}>
      {isFollowing ? "Following" : "Follow"}
    </Button>
    <Button small disabled={all === 0} onClick={onDownload}>
      Download
    </Button>
  </div>
);
