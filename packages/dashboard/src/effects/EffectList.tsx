import { Link } from "@tanstack/react-router";
import type { IssueEffect } from "../data/issues/effects.ts";
import { Badge } from "../parts/Badge.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { stateOf } from "./words.ts";
import styles from "./Effects.module.css";

/** Calls that happen once, newest first, each with its state and what came back. */
export const EffectList = ({ effects }: { readonly effects: ReadonlyArray<IssueEffect> }) => (
  <ul className={styles["list"]}>
    {effects.map((effect) => (
      <li key={effect.callId}>
        <Badge {...stateOf(effect)} />
        <Link to="/runs/$runId" params={{ runId: effect.runId }} title="Open the run">
          <code>{`${effect.server}/${effect.tool}`}</code>
        </Link>
        {effect.n > 1 ? <span className={styles["n"]}>No. {effect.n}</span> : null}
        <RelativeTime iso={effect.sentAt} prefix="Sent" />
        {effect.summary === null || effect.summary === "" ? null : (
          <p className={styles["summary"]} dir="auto">
            {effect.summary}
          </p>
        )}
      </li>
    ))}
  </ul>
);
