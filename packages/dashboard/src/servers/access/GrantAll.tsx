import { useGrantAll } from "../../data/servers/access.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { Confirm } from "../../parts/Confirm.tsx";
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
  const request = useGrantAll();
  const count = plural(agentIds.length, "agent");
  return (
    <Confirm
      title={`Grant ${server.name} to ${count}`}
      action={`Grant to ${count}`}
      variant="primary"
      request={request}
      onConfirm={() => request.mutate({ serverId: server.id, agentIds }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {agentIds.length === 1 ? "The agent gets" : "Each agent gets"} all tools of the server,
        without limits. Agents that are registered later do not get access.
      </p>
    </Confirm>
  );
};
