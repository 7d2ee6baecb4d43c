import { useState } from "react";
import { type InstalledServer, useUpdateServer } from "../../data/servers/servers.ts";
import { TextArea } from "../../parts/Field.tsx";
import { Select } from "../../parts/Select.tsx";
import { useToasts } from "../../parts/toast.ts";
import { rulesOf, textOf } from "./onceRules.ts";
import { SettingsForm } from "./SettingsForm.tsx";
import styles from "./Overview.module.css";

type Settings = Pick<InstalledServer, "onceErrors" | "recordCalls" | "sendContext" | "settle"> & {
  readonly once: string;
};

const records = [
  { value: "none", label: "Only outcomes" },
  { value: "errors", label: "Outcomes and texts of errors" },
  { value: "all", label: "Arguments and results too" },
] as const;

const errors = [
  { value: "retry", label: "It did not happen: an equal call is sent again" },
  { value: "unknown", label: "Unknown: it has to be settled first" },
] as const;

const settlers = [
  { value: "agent", label: "People and agents" },
  { value: "person", label: "Only people" },
] as const;

const Once = ({
  onChange,
  settings: { once, onceErrors, settle },
}: {
  readonly settings: Settings;
  readonly onChange: (change: Partial<Settings>) => void;
}) => (
  <>
    <TextArea
      label="Tools whose calls happen once"
      hint="One rule a line. * stands for any characters; refund=/invoice,/amount compares only these arguments."
      rows={2}
      spellCheck={false}
      value={once}
      onChange={(event) => onChange({ once: event.target.value })}
    />
    <Select
      label="If such a call returns an error"
      choices={errors}
      value={onceErrors}
      onChange={(value) => onChange({ onceErrors: value })}
    />
    <Select
      label="Who settles a call whose reply was lost"
      choices={settlers}
      value={settle}
      onChange={(value) => onChange({ settle: value })}
    />
  </>
);

/** The form for the record of calls, the context that the server gets, and the calls that happen once. */
export const CallSettings = ({ server }: { readonly server: InstalledServer }) => {
  const { toast } = useToasts();
  const update = useUpdateServer();
  /** Only fields that the user edited, so that other fields follow changes to the server. */
  const [edited, setEdited] = useState<Partial<Settings>>({});
  const { onceErrors, recordCalls, sendContext, settle } = server;
  const stored = { once: textOf(server.once), onceErrors, recordCalls, sendContext, settle };
  const settings: Settings = { ...stored, ...edited };
  const change = (fields: Partial<Settings>) => setEdited({ ...edited, ...fields });
  const save = () => {
    const { once, ...others } = edited;
    update.mutate(
      {
        serverId: server.id,
        ...others,
        ...(once === undefined ? {} : { once: rulesOf(once) }),
      },
      {
        onSuccess: () => {
          setEdited({});
          toast("Settings saved");
        },
      },
    );
  };
  return (
    <SettingsForm
      title="Calls"
      save="Save calls"
      isChanged={Object.keys(edited).length > 0}
      request={update}
      onSave={save}
      onDiscard={() => setEdited({})}
    >
      <Select
        label="Recorded of each call"
        choices={records}
        value={settings.recordCalls}
        onChange={(value) => change({ recordCalls: value })}
      />
      <label className={styles["check"]}>
        <input
          type="checkbox"
          checked={settings.sendContext}
          onChange={(event) => change({ sendContext: event.target.checked })}
        />
        <span>
          Tell the server whose call it is: agent, run, issue and project, and the caller's trace
        </span>
      </label>
      <Once settings={settings} onChange={change} />
    </SettingsForm>
  );
};
