import { type FormEvent, useState } from "react";
import { type EnvVar, useCatalogEntry } from "../../data/servers/catalog.ts";
import {
  type InstalledServer,
  useServerCommand,
  useUpdateServer,
} from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { useToasts } from "../../parts/toast.ts";
import { EnvFields, type EnvValues } from "../EnvFields.tsx";
import section from "../Section.module.css";
import styles from "./Overview.module.css";

/** The variables of the server. Users can replace or remove values but not read them. */
export const Variables = ({ server }: { readonly server: InstalledServer }) => {
  const { toast } = useToasts();
  const entry = useCatalogEntry(server.catalogId).data;
  const update = useUpdateServer();
  const command = useServerCommand();
  const [values, setValues] = useState<EnvValues>({});
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  if (server.env.length === 0) return null;
  const variables = server.env.map(
    ({ name }): EnvVar =>
      entry?.envVars?.find((one) => one.name === name) ?? {
        name,
        description: "",
        required: false,
        secret: true,
      },
  );
  const isStored = (name: string) =>
    !removed.has(name) && server.env.some((one) => one.name === name && one.isSet);
  const removable = variables.filter(({ name, required }) => !required && isStored(name));
  const changed: Record<string, string | null> = Object.fromEntries([
    ...[...removed].map((name) => [name, null] as const),
    ...Object.entries(values).filter(([, value]) => value !== ""),
  ]);
  const isChanged = Object.keys(changed).length > 0;
  const reset = () => {
    setValues({});
    setRemoved(new Set());
    update.reset();
  };
  const save = (verifies: boolean) => {
    if (!isChanged || update.isPending) return;
    update.mutate(
      { serverId: server.id, envValues: changed },
      {
        onSuccess: () => {
          reset();
          if (verifies) command.mutate({ command: "verify", serverId: server.id });
          toast("Variables saved", "The next call uses the new values.");
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(false);
  };
  return (
    <form className={section["section"]} onSubmit={submit} aria-label="Variables">
      <h2>Variables</h2>
      <p className={styles["quiet"]}>
        Values are stored encrypted and never shown again, secret or not. A change closes the
        server's connections; the next call uses the new values.
      </p>
      <div className={styles["fields"]}>
        <EnvFields variables={variables} values={values} onChange={setValues} isStored={isStored} />
      </div>
      {removable.length + removed.size === 0 ? null : (
        <div className={styles["foot"]}>
          {removable.map(({ name }) => (
            <Button
              key={name}
              small
              variant="quiet"
              onClick={() => setRemoved(new Set([...removed, name]))}
            >
              Remove the value of {name}
            </Button>
          ))}
          {removed.size === 0 ? null : (
            <span className={styles["quiet"]}>Will be removed: {[...removed].join(", ")}</span>
          )}
        </div>
      )}
      <ErrorNote error={update.error} />
      <div className={styles["foot"]}>
        <Button type="submit" disabled={!isChanged || update.isPending}>
          Save variables
        </Button>
        <Button disabled={!isChanged || update.isPending} onClick={() => save(true)}>
          Save and verify
        </Button>
        {isChanged ? (
          <Button variant="quiet" onClick={reset}>
            Discard
          </Button>
        ) : null}
      </div>
    </form>
  );
};
