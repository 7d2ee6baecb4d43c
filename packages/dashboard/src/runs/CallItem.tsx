import { useState } from "react";
import type { RunTimelineEntry, ToolCall } from "../data/runs.ts";
import { callName, callTone, millis } from "../data/runWords.ts";
import { Badge } from "../parts/Badge.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { CallDetails } from "./CallDetails.tsx";
import styles from "./Timeline.module.css";

/** A call of a tool in the timeline: its outcome, its reason if it failed, and all of it once it is opened. */
export const CallItem = ({
  call,
  entry: { at, tool },
}: {
  readonly entry: RunTimelineEntry;
  /** Undefined until it is loaded, and for calls before the newest 500. */
  readonly call: ToolCall | undefined;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={styles["call"]}>
      <button
        type="button"
        className={styles["head"]}
        aria-expanded={isOpen}
        disabled={call === undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <code>{tool ?? call?.tool}</code>
        {call === undefined ? null : (
          <>
            <Badge text={callName(call.outcome)} {...callTone(call.outcome)} />
            <span className={styles["figure"]}>
              {call.durationMs === null ? "" : millis(call.durationMs)}
            </span>
          </>
        )}
      </button>
      <RelativeTime iso={at} />
      {call?.error == null || isOpen ? null : (
        <p className={styles["reason"]} dir="auto">
          {call.error}
        </p>
      )}
      {isOpen && call !== undefined ? <CallDetails call={call} /> : null}
    </li>
  );
};
