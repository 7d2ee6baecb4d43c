import { Suspense, useRef, useState } from "react";
import { useAgents } from "../data/agents.ts";
import { useProjects } from "../data/issues/projects.ts";
import { useCreateKey } from "../data/keys.ts";
import { useMayEverywhere, useSession } from "../data/live/session.ts";
import { newProjectText } from "../newProject/newProject.ts";
import { Button } from "../parts/Button.tsx";
import { Choices } from "../parts/Choices.tsx";
import { Field } from "../parts/Field.tsx";
import { FormDialog } from "../parts/FormDialog.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { Select } from "../parts/Select.tsx";
import { Suggest } from "../parts/Suggest.tsx";
import { bodyOf, type KeyForm, rolesFor } from "./form.ts";
import { NewKey } from "./NewKey.tsx";
import styles from "./Dialogs.module.css";

const CreateProject = lazily(() => import("../newProject/CreateProject.tsx"), "CreateProject");

const actors = [
  { value: "agent", label: "An agent" },
  { value: "person", label: "A person" },
  { value: "none", label: "A program" },
] as const;

const expiries = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "never", label: "Never" },
  { value: "date", label: "On a date" },
] as const;

const empty: KeyForm = {
  name: "",
  actor: "agent",
  actorId: "",
  role: "Editor",
  projects: [],
  project: "",
  expires: "90",
  date: "",
};

const today = () => new Date().toISOString().slice(0, 10);

export const CreateKey = ({ onClose }: { readonly onClose: () => void }) => {
  const session = useSession();
  const agents = useAgents().data ?? [];
  const projects = useProjects().data ?? [];
  const create = useCreateKey();
  const [form, setForm] = useState(empty);
  const name = useRef<HTMLInputElement>(null);
  const mayCreate = useMayEverywhere("Editor");
  const [isCreating, setCreating] = useState(false);
  const set = (change: Partial<KeyForm>) => setForm((before) => ({ ...before, ...change }));

  const roles = rolesFor(form.actor, "principal" in session ? session.principal.role : "Viewer");
  const setActor = (actor: KeyForm["actor"]) => {
    const isAllowed = rolesFor(actor, "Owner").some(({ role }) => role === form.role);
    set({ actor, actorId: "", ...(isAllowed ? {} : { role: "Editor" }) });
  };

  const submit = () => create.mutate(bodyOf(form, Date.now()));

  if (create.data !== undefined) return <NewKey created={create.data} onClose={onClose} />;
  // Beside the form: a form inside it would submit both.
  return (
    <>
      <FormDialog
        title="New key"
        action="Create key"
        request={create}
        initialFocus={name}
        onSubmit={submit}
        onClose={onClose}
      >
        <Field
          ref={name}
          label="Name"
          hint="The purpose of the key, for example the machine that uses it."
          required
          maxLength={128}
          value={form.name}
          onValueChange={(value) => set({ name: value })}
        />
        <div className={styles["pair"]}>
          <Select label="Used by" choices={actors} value={form.actor} onChange={setActor} />
          {form.actor === "agent" ? (
            <Suggest
              label="Agent"
              required
              value={form.actorId}
              onChange={(actorId) => set({ actorId })}
              suggestions={agents.map(({ id }) => id)}
            />
          ) : form.actor === "person" ? (
            <Field
              label="User"
              placeholder="Default: the id of the key"
              value={form.actorId}
              onValueChange={(actorId) => set({ actorId })}
            />
          ) : null}
        </div>
        <Select
          label="Role"
          choices={roles.map(({ does, role }) => ({ value: role, label: `${role}: ${does}` }))}
          value={form.role}
          onChange={(role) => set({ role })}
        />
        {form.role === "Metrics" ? null : (
          <Choices
            label="Projects"
            placeholder={form.projects.length === 0 ? "All projects" : "Add a project"}
            chosen={form.projects}
            text={form.project}
            onChange={(projects, project) => set({ projects, project })}
            suggestions={projects.map(({ id }) => id)}
          />
        )}
        {form.role === "Metrics" || !mayCreate ? null : (
          <Button small variant="quiet" onClick={() => setCreating(true)}>
            {newProjectText}
          </Button>
        )}
        <div className={styles["pair"]}>
          <Select
            label="Expires"
            choices={expiries}
            value={form.expires}
            onChange={(expires) => set({ expires })}
          />
          {form.expires === "date" ? (
            <Field
              label="Last day"
              type="date"
              required
              min={today()}
              value={form.date}
              onValueChange={(date) => set({ date })}
            />
          ) : null}
        </div>
      </FormDialog>
      <Suspense fallback={<Opening />}>
        {isCreating ? (
          <CreateProject
            onClose={() => setCreating(false)}
            onCreated={({ id }) => set({ projects: [...form.projects, id] })}
          />
        ) : null}
      </Suspense>
    </>
  );
};
