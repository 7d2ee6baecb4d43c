import { useRef, useState } from "react";
import { useProjects } from "../data/issues/projects.ts";
import { useCreateWebhook } from "../data/webhooks.ts";
import { Choices } from "../parts/Choices.tsx";
import { Field } from "../parts/Field.tsx";
import { FormDialog } from "../parts/FormDialog.tsx";
import { SecretDialog } from "../parts/SecretDialog.tsx";
import { Select } from "../parts/Select.tsx";
import { Suggest } from "../parts/Suggest.tsx";
import styles from "./Webhooks.module.css";

const formats = [
  { value: "standard", label: "JSON, as Standard Webhooks" },
  { value: "text", label: "A sentence, for Slack and Mattermost" },
] as const;

/** Suggestions: the server accepts every kind of event. */
const kinds = [
  "attention",
  "issue.*",
  "issue.asked",
  "issue.created",
  "issue.finished",
  "issue.statusChanged",
  "project.*",
  "run.*",
  "mcp.*",
  "agent.*",
  "key.*",
  "webhook.*",
];

/** The dialog that creates a webhook, and then shows its secret once. */
export const CreateWebhook = ({ onClose }: { readonly onClose: () => void }) => {
  const projects = useProjects().data ?? [];
  const create = useCreateWebhook();
  const name = useRef<HTMLInputElement>(null);
  const [form, setForm] = useState({
    name: "",
    url: "",
    kinds: ["attention"] as ReadonlyArray<string>,
    kind: "",
    projectId: "",
    format: "standard" as (typeof formats)[number]["value"],
  });
  const set = (change: Partial<typeof form>) => setForm((before) => ({ ...before, ...change }));
  const submit = () =>
    create.mutate({
      name: form.name.trim(),
      url: form.url.trim(),
      kinds: [...new Set([...form.kinds, form.kind.trim()])].filter((kind) => kind !== ""),
      projectId: form.projectId.trim() === "" ? null : form.projectId.trim(),
      format: form.format,
    });

  if (create.data !== undefined) {
    return (
      <SecretDialog
        label="Secret"
        noun="secret"
        value={create.data.secret ?? ""}
        name={create.data.name}
        text="is created. The receiver verifies requests with this secret."
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="New webhook"
      action="Create webhook"
      request={create}
      initialFocus={name}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        ref={name}
        label="Name"
        required
        maxLength={64}
        value={form.name}
        onValueChange={(value) => set({ name: value })}
      />
      <Field
        label="URL"
        type="url"
        hint="https only. It is stored encrypted, and the page shows only its start."
        required
        maxLength={2_048}
        value={form.url}
        onValueChange={(url) => set({ url })}
      />
      <Choices
        label="Events"
        placeholder="Add a kind or a family"
        chosen={form.kinds}
        text={form.kind}
        onChange={(chosen, kind) => set({ kinds: chosen, kind })}
        suggestions={kinds}
      />
      <p className={styles["note"]}>
        <code>attention</code> is what waits for a person. <code>issue.*</code> is a family.
      </p>
      <Suggest
        label="Project"
        placeholder="All projects"
        value={form.projectId}
        onChange={(projectId) => set({ projectId })}
        suggestions={projects.map(({ id }) => id)}
      />
      <Select
        label="Format"
        choices={formats}
        value={form.format}
        onChange={(format) => set({ format })}
      />
    </FormDialog>
  );
};
