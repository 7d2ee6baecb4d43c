import { type FormEvent, useState } from "react";
import { useCatalogEntry } from "../../data/servers/catalog.ts";
import { usePreparation } from "../../data/servers/preparation.ts";
import { type InstalledServer, useUpdateServer } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { useToasts } from "../../parts/toast.ts";
import { EnvFields, type EnvValues } from "../EnvFields.tsx";
import styles from "./Overview.module.css";

const release = (version: string | null) =>
  version === null ? "an unversioned release" : `version ${version}`;

/** A note that the catalog has another version: its changes, and the update to it. */
export const UpdateNote = ({ server }: { readonly server: InstalledServer }) => {
  const { toast } = useToasts();
  const { data: entry, error } = useCatalogEntry(server.catalogId);
  const update = useUpdateServer();
  const preparation = usePreparation(server.id);
  const [values, setValues] = useState<EnvValues>({});
  if (error !== null && entry === undefined) return <ErrorNote error={error} />;
  if (entry === undefined) return null;
  const variables = entry.envVars ?? [];
  const added = variables.filter(({ name }) => server.env.every((one) => one.name !== name));
  const removed = server.env.filter(({ name }) => variables.every((one) => one.name !== name));
  const version = "command" in entry.manifest ? (entry.manifest.version ?? null) : null;
  const changes = [
    version === server.version
      ? "An Owner changed the entry in the catalog."
      : `The update changes ${release(server.version)} to ${release(version)}.`,
    ...(added.length === 0 ? [] : [`New variables: ${added.map(({ name }) => name).join(", ")}.`]),
    ...(removed.length === 0
      ? []
      : [`Removed variables: ${removed.map(({ name }) => name).join(", ")}.`]),
    "The service installs and verifies the new version first. If that fails, nothing changes.",
    "Tools whose definitions change are withheld until a person accepts them.",
  ];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = Object.entries(values).filter(([, value]) => value !== "");
    update.mutate(
      {
        serverId: server.id,
        version: "catalog",
        ...(given.length === 0 ? {} : { envValues: Object.fromEntries(given) }),
      },
      { onSuccess: ({ name }) => toast("Server updated", name) },
    );
  };
  return (
    <form className={styles["update"]} onSubmit={submit} aria-label="Update">
      <h2>Update available</h2>
      <ul className={styles["changes"]}>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <EnvFields variables={added} values={values} onChange={setValues} />
      <ErrorNote error={update.error} />
      <div className={styles["foot"]}>
        <Button type="submit" variant="primary" disabled={update.isPending}>
          {update.isPending ? "Updating" : "Update"}
        </Button>
        <span role="status" className={styles["quiet"]}>
          {update.isPending
            ? preparation?.state === "preparing"
              ? `Preparing ${preparation.package ?? "the program"}.`
              : "Verifying."
            : ""}
        </span>
      </div>
    </form>
  );
};
