import { Link } from "@tanstack/react-router";
import { type FormEvent, Fragment, useState } from "react";
import { useAgents } from "../data/agents.ts";
import { useAnswer, useText } from "../data/inbox/answers.ts";
import { useDecisions } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { type Readiness, useReasons } from "../data/issues/issue.ts";
import { Button } from "../parts/Button.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { Suggest } from "../parts/Suggest.tsx";
import { firstSentence } from "./Detail.tsx";
import { pathOf } from "./places.ts";
import styles from "./Entry.module.css";

/** The reason why no agent picks up the root. */
const Reason = ({
  item: { agentId, projectId },
  reason: { code, data, detail },
}: {
  readonly item: InboxItem;
  readonly reason: Readiness["reasons"][number];
}) => {
  switch (code) {
    case "unassigned":
      return "No agent is assigned.";
    case "paused":
      return "It is paused.";
    case "notBefore":
      return (
        <>
          It is deferred, and starts <RelativeTime iso={String(data?.["notBefore"])} />.
        </>
      );
    case "agentPaused":
      return `Its agent ${agentId} is paused.`;
    case "projectPaused":
      return `Its project ${projectId} is paused.`;
    case "awaitingAnswer":
      return "A question waits for an answer.";
    case "agentSilent":
      return `Its agent ${agentId} is silent.`;
    default:
      return detail;
  }
};

/**
 * The root of a blocked chain, with the actions that unblock it: assign an agent, resume it, or start it
 * now.
 */
export const ChainAnswer = ({
  canEdit,
  isInView,
  issueId,
  item,
}: {
  readonly item: InboxItem;
  readonly issueId: string;
  readonly canEdit: boolean;
  readonly isInView: boolean;
}) => {
  const reasons = useReasons(issueId, isInView).data ?? [];
  const has = (code: Readiness["reasons"][number]["code"]) =>
    reasons.some((reason) => reason.code === code);
  const { assign, retry, startNow } = useDecisions();
  const agents = useAgents().data ?? [];
  const { mutate: send } = useAnswer(item);
  const [agent, setAgent] = useText(item);
  const [isAssigning, setAssigning] = useState(agent !== "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(() => assign(issueId, agent.trim()));
  };
  return (
    <>
      <p className={styles["detail"]}>
        {firstSentence(item.detail)}
        {reasons.map((reason) => (
          <Fragment key={reason.code}>
            {" "}
            <Reason item={item} reason={reason} />
          </Fragment>
        ))}
      </p>
      <p className={styles["detail"]}>
        Root of the chain:{" "}
        <Link className={styles["link"]} to={pathOf(item) ?? "/inbox"}>
          <bdi>{item.title}</bdi>
        </Link>
        {" · "}
        <Link className={styles["link"]} to="/graph" search={{ issue: issueId }}>
          Show the chain
        </Link>
      </p>
      {!canEdit ? null : isAssigning ? (
        <form className={styles["assign"]} onSubmit={submit}>
          <Suggest
            label="Agent"
            required
            value={agent}
            onChange={setAgent}
            suggestions={agents.map(({ id }) => id)}
          />
          <Button type="submit" variant="primary">
            Assign
          </Button>
          <Button variant="quiet" onClick={() => setAssigning(false)}>
            Cancel
          </Button>
        </form>
      ) : (
        <div className={styles["buttons"]}>
          {has("unassigned") ? (
            <Button data-first onClick={() => setAssigning(true)}>
              Assign an agent
            </Button>
          ) : null}
          {has("paused") ? (
            <Button data-first onClick={() => send(() => retry(issueId, ""))}>
              Resume
            </Button>
          ) : null}
          {has("notBefore") ? (
            <Button data-first onClick={() => send(() => startNow(issueId))}>
              Start now
            </Button>
          ) : null}
        </div>
      )}
    </>
  );
};
