import type { ReactNode } from "react";
import { type Run, type RunTimelineEntry, useRunCalls, useRunTimeline } from "../data/runs.ts";
import { endOf } from "../data/runWords.ts";
import { stateOf } from "../effects/words.ts";
import { Badge } from "../parts/Badge.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ShowMore } from "../parts/ShowMore.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { CallItem } from "./CallItem.tsx";
import styles from "./Timeline.module.css";

const who = ({ actor }: RunTimelineEntry): string => actor?.id ?? "The agent";

const textOf = (entry: RunTimelineEntry, run: Run): ReactNode => {
  switch (entry.kind) {
    case "started":
      return `${run.agentId} picked the issue up`;
    case "turn":
      return `The agent read ${entry.commentIds?.length === 1 ? "a comment" : `${entry.commentIds?.length} comments`}`;
    case "note":
      return (
        <>
          <span className={styles["faint"]}>Note</span> <span dir="auto">{entry.note}</span>
        </>
      );
    case "commented":
      return `${who(entry)} commented`;
    case "attached":
      return `${who(entry)} attached a file`;
    case "asked":
      return `${who(entry)} asked a question`;
    case "answered":
      return `${who(entry)} answered`;
    case "effect":
      return (
        <>
          <code>{entry.tool}</code>, once{" "}
          {entry.state === undefined ? null : <Badge {...stateOf({ state: entry.state })} />}
        </>
      );
    case "stop":
      return "The agent was told to stop";
    case "takenOver":
      return "Another process took the run over";
    case "ended": {
      const { text, why } = endOf(run);
      return why === null ? `Ended: ${text}` : `Ended: ${text}, ${why}`;
    }
    default:
      return entry.kind;
  }
};

/** The note of a turn is an entry of its own. */
const hasText = ({ commentIds, kind }: RunTimelineEntry): boolean =>
  kind !== "turn" || (commentIds?.length ?? 0) > 0;

const keyOf = ({
  at,
  attachmentId,
  callId,
  commentId,
  kind,
  questionId,
}: RunTimelineEntry): string => [kind, at, callId, commentId, attachmentId, questionId].join(" ");

/** The events of the run, oldest first. */
export const Timeline = ({ run }: { readonly run: Run }) => {
  const list = useRunTimeline(run);
  const calls = useRunCalls(run).data;
  const { data, error, isPending } = list;
  return (
    <section className={styles["timeline"]} aria-label="Timeline">
      <h2>Timeline</h2>
      <ErrorNote error={error} />
      {isPending ? <Skeleton height={22} /> : null}
      <ol>
        {data?.filter(hasText).map((entry) =>
          entry.kind === "call" ? (
            <CallItem key={keyOf(entry)} entry={entry} call={calls?.get(entry.callId ?? "")} />
          ) : (
            <li key={keyOf(entry)}>
              <span>{textOf(entry, run)}</span>
              <RelativeTime iso={entry.at} />
            </li>
          ),
        )}
      </ol>
      <ShowMore list={list} text="Show more" />
    </section>
  );
};
