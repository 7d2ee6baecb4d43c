import { useState } from "react";
import { useAgents } from "../data/agents.ts";
import { type BriefIssue, useChangeIssues, useIssueRows } from "../data/issues/issues.ts";
import { useLabels } from "../data/live/names.ts";
import { useSession } from "../data/live/session.ts";
import { FormDialog } from "../parts/FormDialog.tsx";
import { Suggest } from "../parts/Suggest.tsx";
import { shared, titleOf } from "./words.ts";
import styles from "./Work.module.css";

/** The dialog that assigns issues to an agent and a person. Untouched fields stay as they are in each issue. */
export const AssignDialog = ({
  issues,
  onClose,
  onDone,
}: {
  readonly issues: ReadonlyArray<BriefIssue>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) => {
  const request = useChangeIssues();
  const { values } = useIssueRows();
  const agents = useAgents().data ?? [];
  const [before] = useState({
    agent: shared(issues.map(({ assignedAgentId }) => assignedAgentId)),
    person: shared(issues.map(({ assigneeUserId }) => assigneeUserId)),
  });
  const [agent, setAgent] = useState(before.agent);
  const [typed, setTyped] = useState<string | null>(null);
  const session = useSession();
  const people = [
    ...new Set([
      ...("principal" in session ? [session.principal.id] : []),
      ...values(({ assigneeUserId }) => (assigneeUserId === null ? [] : [assigneeUserId])),
      ...(before.person === "" ? [] : [before.person]),
    ]),
  ];
  const labels = useLabels(people);
  const person =
    typed === null
      ? before.person
      : (people.find((id) => labels.get(id) === typed.trim()) ?? typed.trim());
  const change = {
    ...(agent.trim() === before.agent ? {} : { assignedAgentId: agent.trim() || null }),
    ...(person === before.person ? {} : { assigneeUserId: person || null }),
  };
  const submit = () => {
    request.mutate({ issues, changeOf: () => change }, { onSuccess: onDone });
  };
  return (
    <FormDialog
      title={titleOf("Assign", issues)}
      action="Assign"
      request={request}
      isDisabled={Object.keys(change).length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles["pair"]}>
        <Suggest
          label="Agent"
          placeholder="None"
          value={agent}
          onChange={setAgent}
          suggestions={agents.map(({ id }) => id)}
        />
        <Suggest
          label="Person"
          placeholder="None"
          value={typed ?? labels.get(before.person) ?? ""}
          onChange={setTyped}
          suggestions={[...labels.values()]}
        />
      </div>
    </FormDialog>
  );
};
