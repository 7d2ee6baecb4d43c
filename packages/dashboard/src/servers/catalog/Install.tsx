import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type CatalogEntry, useInstall } from "../../data/servers/catalog.ts";
import { useServerCommand } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { Command } from "../../parts/Command.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Field } from "../../parts/Field.tsx";
import { useToasts } from "../../parts/toast.ts";
import { EnvFields, type EnvValues } from "../EnvFields.tsx";
import styles from "./Entry.module.css";

/** The equivalent command. It reads variables without a value from the environment. */
const installLine = ({ envVars = [], id }: CatalogEntry) =>
  [
    `quartermaster server install ${id}`,
    ...envVars
      .filter(({ default: fallback, required }) => required && fallback == null)
      .map(({ name }) => `--env ${name}`),
  ].join(" ");

/** The installation form of an entry. After installing, it verifies the server and opens its page. */
export const Install = ({ entry }: { readonly entry: CatalogEntry }) => {
  const { toast } = useToasts();
  const install = useInstall();
  const { mutate: command } = useServerCommand();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [values, setValues] = useState<EnvValues>({});
  const [verifies, setVerifies] = useState(true);
  const variables = entry.envVars ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (install.isPending) return;
    const given = Object.entries(values).filter(([, value]) => value !== "");
    install.mutate(
      {
        catalogId: entry.id,
        ...(given.length === 0 ? {} : { envValues: Object.fromEntries(given) }),
        ...(name.trim() === "" ? {} : { name: name.trim() }),
      },
      {
        onSuccess: ({ id, name: installed }) => {
          toast("Server installed", `${installed} is disabled, and no agent has access yet.`);
          if (verifies) command({ command: "verify", serverId: id });
          void navigate({ to: "/servers/$serverId", params: { serverId: id } });
        },
      },
    );
  };
  return (
    <form className={styles["form"]} onSubmit={submit} aria-label={`Install ${entry.name}`}>
      <h2>Install</h2>
      <Field
        label="Name"
        hint="The names of its tools start with this name. a-z, 0-9 and - are allowed."
        placeholder={entry.id}
        maxLength={32}
        autoComplete="off"
        spellCheck={false}
        value={name}
        onValueChange={setName}
      />
      <EnvFields variables={variables} values={values} onChange={setValues} />
      {variables.length === 0 ? null : (
        <p className={styles["quiet"]}>Values are stored encrypted and never shown again.</p>
      )}
      <label className={styles["check"]}>
        <input
          type="checkbox"
          checked={verifies}
          onChange={(event) => setVerifies(event.target.checked)}
        />
        <span>
          Verify it after the installation:{" "}
          {entry.transport === "stdio" ? "fetch its package, start it once" : "connect once"} and
          list its tools
        </span>
      </label>
      <ErrorNote error={install.error} />
      <Button type="submit" variant="primary" disabled={install.isPending}>
        {install.isPending ? "Installing" : "Install"}
      </Button>
      <Command line={installLine(entry)} />
    </form>
  );
};
