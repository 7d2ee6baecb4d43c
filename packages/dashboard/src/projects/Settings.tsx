import { useState } from "react";
import { type Project, useChangeProject } from "../data/issues/projects.ts";
import { useMay, useMayEverywhere } from "../data/live/session.ts";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Field, TextArea } from "../parts/Field.tsx";
import { Select } from "../parts/Select.tsx";
import { useToasts } from "../parts/toast.ts";
import styles from "./Projects.module.css";

const agentsMay = [
  { value: "resolve", label: "Resolve their own work; people end reviews" },
  { value: "review", label: "Only hand in for review" },
  { value: "approve", label: "End reviews as well" },
] as const satisfies ReadonlyArray<{
  readonly value: Project["agentsMay"];
  readonly label: string;
}>;

/** The name, the description, the prefix and the rules of a project. */
export const Settings = ({ project }: { readonly project: Project }) => {
  const { toast } = useToasts();
  const save = useChangeProject();
  const mayEdit = useMay("Editor");
  const mayName = useMayEverywhere("Admin");
  const [form, setForm] = useState({
    name: project.name ?? "",
    description: project.description ?? "",
    prefix: project.prefix,
    agentsMay: project.agentsMay,
  });
  const set = (change: Partial<typeof form>) => setForm((before) => ({ ...before, ...change }));
  const submit = () =>
    save.mutate(
      {
        projectId: project.id,
        name: form.name.trim() === "" ? null : form.name,
        description: form.description === "" ? null : form.description,
        agentsMay: form.agentsMay,
        ...(form.prefix === project.prefix ? {} : { prefix: form.prefix }),
      },
      { onSuccess: () => toast("Project saved") },
    );
  return (
    <form
      className={styles["settings"]}
      aria-label="Settings"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="Name"
        placeholder={project.id}
        maxLength={64}
        readOnly={!mayEdit}
        value={form.name}
        onValueChange={(name) => set({ name })}
      />
      <TextArea
        label="Description"
        maxLength={65_536}
        readOnly={!mayEdit}
        value={form.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <Field
        label="Prefix of its keys"
        hint="Earlier keys continue to work."
        required
        maxLength={10}
        readOnly={!mayName}
        value={form.prefix}
        onValueChange={(text) => set({ prefix: text.toUpperCase() })}
      />
      {mayEdit ? (
        <Select
          label="Agents may"
          choices={agentsMay}
          value={form.agentsMay}
          onChange={(value) => set({ agentsMay: value })}
        />
      ) : null}
      <ErrorNote error={save.error} />
      {mayEdit ? (
        <Button type="submit" variant="primary" disabled={save.isPending}>
          Save
        </Button>
      ) : null}
    </form>
  );
};
