import { type FormEvent, useState } from "react";
import { useAgents } from "../data/agents.ts";
import { useAnswer, useText } from "../data/inbox/answers.ts";
import { useDecisions } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { type Readiness, useReasons } from "../data/issues/issue.ts";
import { Button } from "../parts/Button.tsx";
import { Suggest } from "../parts/Suggest.tsx";
import styles from "./Item.module.css";

/** The actions that unblock a chain: assign an agent to its root, resume the root, or start it now. */
export const ChainAnswer = ({
  issueId,
  item,
}: {
  readonly item: InboxItem;
  readonly issueId: string;
}) => {
  const reasons = useReasons(issueId, true).data ?? [];
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
  return isAssigning ? (
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
  );
};
