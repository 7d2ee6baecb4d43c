import { type FormEvent, type RefObject, useState } from "react";
import { type AccessEntry, useToggleAccess } from "../../data/servers/access.ts";
import { Button } from "../../parts/Button.tsx";
import styles from "./AccessTab.module.css";

/** Grants a server to an agent by id, even before a heartbeat registers the agent. */
export const GrantForm = ({
  entries,
  input,
  isReadable,
  serverId,
}: {
  readonly entries: ReadonlyArray<AccessEntry>;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly isReadable: boolean;
  readonly serverId: string;
}) => {
  const { mutate: toggle } = useToggleAccess();
  const [agent, setAgent] = useState("");
  const grant = (event: FormEvent) => {
    event.preventDefault();
    const agentId = agent.trim();
    if (agentId === "") return;
    toggle({ serverId: serverId, agentId, granted: true }, { onSuccess: () => setAgent("") });
  };

  return (
    <form className={styles["grant"]} onSubmit={grant}>
      <input
        ref={input}
        aria-label="Agent to grant the server to"
        placeholder="Agent id"
        list="agents without access"
        maxLength={256}
        value={agent}
        onChange={(event) => setAgent(event.target.value)}
      />
      <datalist id="agents without access">
        {entries
          .filter((entry) => !entry.granted)
          .slice(0, 100)
          .map(({ agentId }) => (
            <option key={agentId} value={agentId} />
          ))}
      </datalist>
      <Button type="submit" disabled={isReadable || agent.trim() === ""}>
        Grant
      </Button>
    </form>
  );
};
