import { useGrantAll } from "../../data/servers/access.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { Dialog, DialogFoot } from "../../parts/Dialog.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { plural } from "../words.ts";

/** Grants a server to every agent that lacks it, after a confirmation. */
export const GrantAll = ({
  agentIds,
  onClose,
  server,
}: {
  readonly server: InstalledServer;
  readonly agentIds: ReadonlyArray<string>;
  readonly onClose: () => void;
}) => {
  const { error, isPending, mutate } = useGrantAll();
  const count = plural(agentIds.length, "agent");
  return (
    <Dialog open onClose={onClose} title={`Grant ${server.name} to ${count}`}>
      <p>
        {agentIds.length === 1 ? "The agent gets" : "Each agent gets"} all tools of the server,
        without limits. Agents that are registered later do not get access.
      </p>
      {error === null ? null : <ErrorNote error={error} />}
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          disabled={isPending}
          onClick={() => mutate({ serverId: server.id, agentIds }, { onSuccess: onClose })}
        >
          Grant to {count}
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
