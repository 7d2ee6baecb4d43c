import { useNavigate } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { useAgents } from "../data/agents.ts";
import { priorities, type Priority, useCreateIssue, useIssueRows } from "../data/issues/issues.ts";
import { useMayEverywhere } from "../data/live/session.ts";
import { Button } from "../parts/Button.tsx";
import { Choices } from "../parts/Choices.tsx";
import { Field, TextArea } from "../parts/Field.tsx";
import { FormDialog } from "../parts/FormDialog.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { priorityName } from "../parts/PriorityIcon.tsx";
import { Select } from "../parts/Select.tsx";
import { Suggest } from "../parts/Suggest.tsx";
import { useToasts } from "../parts/toast.ts";
import styles from "./Work.module.css";

const CreateProject = lazily(() => import("../newProject/CreateProject.tsx"), "CreateProject");

const choices = priorities.map((value) => ({ value, label: priorityName(value) }));

export const CreateIssue = ({
  onClose,
  project,
  projects,
}: {
  readonly project: string;
  readonly projects: ReadonlyArray<string>;
  readonly onClose: () => void;
}) => {
  const { toast } = useToasts();
  const navigate = useNavigate();
  const create = useCreateIssue();
  const agents = useAgents().data ?? [];
  const { values } = useIssueRows();
  const title = useRef<HTMLInputElement>(null);
  const [fields, setFields] = useState({
    projectId: project,
    title: "",
    description: "",
    agent: "",
    labels: [] as ReadonlyArray<string>,
    label: "",
  });
  const [newProject, setNewProject] = useState<string | null>(null);
  const [priority, setPriority] = useState<Priority>("normal");
  const set = (change: Partial<typeof fields>) => setFields((known) => ({ ...known, ...change }));

  const projectId = fields.projectId.trim();
  const mayCreate = useMayEverywhere("Editor");
  const submit = () => {
    // A project is created by its own dialog, not by a misspelled id.
    if (mayCreate && !projects.includes(projectId)) return setNewProject(projectId);
    create.mutate(
      {
        projectId,
        title: fields.title,
        priority,
        ...(fields.description === "" ? {} : { description: fields.description }),
        ...(fields.agent.trim() === "" ? {} : { assignedAgentId: fields.agent.trim() }),
        labels: [...new Set([...fields.labels, fields.label.trim()])].filter(
          (label) => label !== "",
        ),
      },
      {
        onSuccess: (issue) => {
          toast(`${issue.key} created`, issue.title, {
            text: "Open",
            run: () => void navigate({ to: "/issues/$issueId", params: { issueId: issue.key } }),
          });
          onClose();
        },
      },
    );
  };

  // Beside the form: a form inside it would submit both.
  return (
    <>
      <FormDialog
        title="New issue"
        action="Create issue"
        request={create}
        initialFocus={title}
        onSubmit={submit}
        onClose={onClose}
      >
        <Field
          ref={title}
          label="Title"
          required
          maxLength={256}
          value={fields.title}
          onValueChange={(value) => set({ title: value })}
        />
        <TextArea
          label="Description"
          hint="The agent gets this text as its task. Markdown works."
          maxLength={65_536}
          value={fields.description}
          onChange={(event) => set({ description: event.target.value })}
        />
        <div className={styles["pair"]}>
          <Suggest
            label="Project"
            required
            value={fields.projectId}
            onChange={(projectId) => set({ projectId })}
            suggestions={projects}
          />
          <Suggest
            label="Agent"
            placeholder="None"
            value={fields.agent}
            onChange={(agent) => set({ agent })}
            suggestions={agents.map(({ id }) => id)}
          />
          <Select label="Priority" choices={choices} value={priority} onChange={setPriority} />
        </div>
        <Choices
          label="Labels"
          placeholder={fields.labels.length === 0 ? "None" : "Add a label"}
          chosen={fields.labels}
          text={fields.label}
          onChange={(labels, label) => set({ labels, label })}
          suggestions={values(({ labels }) => labels)}
        />
        {mayCreate ? (
          <Button small variant="quiet" onClick={() => setNewProject("")}>
            New project…
          </Button>
        ) : null}
      </FormDialog>
      <Suspense fallback={<Opening />}>
        {newProject === null ? null : (
          <CreateProject
            id={newProject}
            onClose={() => setNewProject(null)}
            onCreated={({ id }) => set({ projectId: id })}
          />
        )}
      </Suspense>
    </>
  );
};
