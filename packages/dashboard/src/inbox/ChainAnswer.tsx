import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useAgents } from "../data/agents.ts";
import { useAnswer, useText } from "../data/inbox/answers.ts";
import { useDecisions } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useReasons } from "../data/issues/issue.ts";
import { Button } from "../parts/Button.tsx";
import { Suggest } from "../parts/Suggest.tsx";
import { pathOf } from "./places.ts";
import styles from "./Entry.module.css";

/** Names the root of a blocked chain, and lets it move: with an agent, or without its pause or deferral. */
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
  const codes = useReasons(issueId, isInView).data?.map(({ code }) => code) ?? [];
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
          {codes.includes("unassigned") ? (
            <Button data-first onClick={() => setAssigning(true)}>
              Assign an agent
            </Button>
          ) : null}
          {codes.includes("paused") ? (
            <Button data-first onClick={() => send(() => retry(issueId, ""))}>
              Resume
            </Button>
          ) : null}
          {codes.includes("notBefore") ? (
            <Button data-first onClick={() => send(() => startNow(issueId))}>
              Start now
            </Button>
          ) : null}
        </div>
      )}
    </>
  );
};
