import { Suspense, useRef, useState } from "react";
import { useProjects } from "../data/issues/projects.ts";
import { useMayEverywhere } from "../data/live/session.ts";
import { type SavedView, useSaveView } from "../data/views.ts";
import { newProjectText } from "../newProject/newProject.ts";
import { Field } from "../parts/Field.tsx";
import { FormDialog } from "../parts/FormDialog.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { Select } from "../parts/Select.tsx";
import type { WorkSearch } from "./search.ts";
import { queryOf } from "./viewQuery.ts";

const CreateProject = lazily(() => import("../newProject/CreateProject.tsx"), "CreateProject");

/** The value of the entry for a new project, which is not an id of a project. */
const creation = "+";

/** The value of "Only me", which is not an id of a project. */
const own = "/";

/** The dialog that saves the list as a view, or changes a view. */
export const ViewDialog = ({
  canShare,
  onClose,
  search,
  view,
  views,
}: {
  readonly view: SavedView | null;
  readonly views: ReadonlyArray<SavedView>;
  readonly search: WorkSearch;
  readonly canShare: boolean;
  readonly onClose: () => void;
}) => {
  const request = useSaveView();
  const projects = useProjects().data ?? [];
  const [name, setName] = useState(view?.name ?? "");
  const [project, setProject] = useState(view?.projectId ?? own);
  const input = useRef<HTMLInputElement>(null);
  const mayCreate = useMayEverywhere("Editor");
  const [isCreating, setCreating] = useState(false);
  const projectId = project === own ? null : project;
  const trimmed = name.trim();
  const same = views.find(
    (other) => other.name === trimmed && other.projectId === projectId && other.id !== view?.id,
  );
  const save = () =>
    request.mutate(
      {
        viewId: view?.id ?? same?.id ?? null,
        name: trimmed,
        query: queryOf(search),
        projectId,
      },
      { onSuccess: onClose },
    );
  // Beside the form: a form inside it would submit both.
  return (
    <>
      <FormDialog
        title={view === null ? "Save the view" : "Change the view"}
        action="Save"
        request={request}
        isDisabled={trimmed === ""}
        initialFocus={input}
        onSubmit={save}
        onClose={onClose}
      >
        <Field
          ref={input}
          label="Name"
          required
          maxLength={64}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          {...(view === null && same !== undefined
            ? { hint: "The view of this name gets these filters." }
            : {})}
        />
        {canShare ? (
          <Select
            label="For"
            value={project}
            onChange={(value) => (value === creation ? setCreating(true) : setProject(value))}
            choices={[
              { value: own, label: "Only me" },
              ...projects.map(({ id, name }) => ({
                value: id,
                label: `Everyone in ${name ?? id}`,
              })),
              ...(mayCreate ? [{ value: creation, label: newProjectText }] : []),
            ]}
          />
        ) : null}
      </FormDialog>
      <Suspense fallback={<Opening />}>
        {isCreating ? (
          <CreateProject
            onClose={() => setCreating(false)}
            onCreated={({ id }) => setProject(id)}
          />
        ) : null}
      </Suspense>
    </>
  );
};
