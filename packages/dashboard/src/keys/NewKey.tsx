import type { ApiKeyCreated } from "../data/keys.ts";
import { useData } from "../data/live/data.ts";
import { Command } from "../parts/Command.tsx";
import { SecretDialog } from "../parts/SecretDialog.tsx";

/** The secret of a new key, and the command that stores it. */
export const NewKey = ({
  created: { agentId, key, name, role },
  onClose,
}: {
  readonly created: ApiKeyCreated;
  readonly onClose: () => void;
}) => {
  const { base } = useData();
  return (
    <SecretDialog
      label="API key"
      noun="key"
      value={key}
      name={name}
      text="is created."
      onClose={onClose}
    >
      <p>
        {role === "Metrics"
          ? "Send it as a bearer token to /metrics."
          : agentId === null
            ? "Use it to sign in on this page, or in a terminal:"
            : "On the agent's machine, store it with:"}
      </p>
      {role === "Metrics" ? null : (
        <Command line={`quartermaster login ${base.replace(/\/$/, "")}`} />
      )}
    </SecretDialog>
  );
};
