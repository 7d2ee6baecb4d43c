import { useState } from "react";
import { type InstalledServer, useUpdateServer } from "../../data/servers/servers.ts";
import { Field } from "../../parts/Field.tsx";
import { useToasts } from "../../parts/toast.ts";
import { SettingsForm } from "./SettingsForm.tsx";

/** The form for the name and the limits of the server. */
export const Limits = ({ server }: { readonly server: InstalledServer }) => {
  const { toast } = useToasts();
  const update = useUpdateServer();
  /** Only fields that the user edited, so that other fields follow changes to the server. */
  const [typed, setTyped] = useState<{
    name?: string;
    bytes?: string;
    idle?: string;
    silence?: string;
    longest?: string;
  }>({});
  const save = () => {
    const { bytes, idle, longest, name, silence } = typed;
    const limit = (text: string) => (text === "" ? null : Number(text));
    update.mutate(
      {
        serverId: server.id,
        ...(name === undefined ? {} : { name }),
        ...(bytes === undefined ? {} : { maxResultBytes: limit(bytes) }),
        ...(idle === undefined ? {} : { idleSeconds: limit(idle) }),
        ...(silence === undefined ? {} : { callTimeoutSeconds: limit(silence) }),
        ...(longest === undefined ? {} : { callMaxSeconds: limit(longest) }),
      },
      {
        onSuccess: () => {
          setTyped({});
          toast("Settings saved");
        },
      },
    );
  };
  return (
    <SettingsForm
      title="Name and limits"
      save="Save settings"
      isChanged={Object.keys(typed).length > 0}
      request={update}
      onSave={save}
      onDiscard={() => setTyped({})}
    >
      <Field
        label="Name"
        hint="Agents see the tools under their new names from their next turn."
        required
        maxLength={32}
        autoComplete="off"
        value={typed.name ?? server.name}
        onValueChange={(name) => setTyped({ ...typed, name })}
      />
      <Field
        label="Maximum result size, in bytes"
        hint="Default: 4,194,304"
        type="number"
        min={1}
        max={33_554_432}
        value={typed.bytes ?? String(server.maxResultBytes)}
        onValueChange={(bytes) => setTyped({ ...typed, bytes })}
      />
      <Field
        label="Close unused connections after (seconds)"
        hint="0 keeps them open. Default: 300"
        type="number"
        min={0}
        max={31_536_000}
        value={typed.idle ?? String(server.idleSeconds)}
        onValueChange={(idle) => setTyped({ ...typed, idle })}
      />
      <Field
        label="End calls without progress after (seconds)"
        hint={server.warnings[0] ?? "Empty: the server's default"}
        type="number"
        min={1}
        max={3_600}
        value={typed.silence ?? String(server.callTimeoutSeconds ?? "")}
        onValueChange={(silence) => setTyped({ ...typed, silence })}
      />
      <Field
        label="End every call after (seconds)"
        hint="Default: 3,600"
        type="number"
        min={1}
        max={86_400}
        value={typed.longest ?? String(server.callMaxSeconds)}
        onValueChange={(longest) => setTyped({ ...typed, longest })}
      />
    </SettingsForm>
  );
};
