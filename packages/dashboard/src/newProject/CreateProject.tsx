import { useRef, useState } from "react";
import { type Project, useCreateProject } from "../data/issues/projects.ts";
import { useMayEverywhere } from "../data/live/session.ts";
import { Field } from "../parts/Field.tsx";
import { FormDialog } from "../parts/FormDialog.tsx";
import { useToasts } from "../parts/toast.ts";

/** The dialog that creates a project. */
export const CreateProject = ({
  id: given = "",
  onClose,
  onCreated,
}: {
  /** The id that was typed where the dialog was opened. */
  readonly id?: string;
  readonly onClose: () => void;
  readonly onCreated?: (project: Project) => void;
}) => {
  const { toast } = useToasts();
  const create = useCreateProject();
  const mayName = useMayEverywhere("Admin");
  const first = useRef<HTMLInputElement>(null);
  const [id, setId] = useState(given);
  const [name, setName] = useState("");
  const [prefix, setPrefix] = useState("");
  const submit = () =>
    create.mutate(
      {
        id: id.trim(),
        name: name.trim() === "" ? null : name,
        prefix: prefix === "" ? null : prefix,
      },
      {
        onSuccess: (project) => {
          toast("Project created", project.name ?? project.id);
          onCreated?.(project);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="New project"
      action="Create project"
      request={create}
      initialFocus={first}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        ref={first}
        label="Id"
        hint="Letters, digits and . _ : - without spaces. It cannot change."
        required
        maxLength={128}
        value={id}
        onValueChange={setId}
      />
      <Field
        label="Name"
        placeholder="Default: the id"
        maxLength={64}
        value={name}
        onValueChange={setName}
      />
      {mayName ? (
        <Field
          label="Prefix of its keys"
          placeholder="Default: made from the id"
          hint="2 to 10 capital letters and digits, such as SHOP for SHOP-1."
          maxLength={10}
          value={prefix}
          onValueChange={(text) => setPrefix(text.toUpperCase())}
        />
      ) : null}
    </FormDialog>
  );
};
