import { useAgents } from "../data/agents.ts";
import { Icon } from "../parts/Icon.tsx";
import { Picker } from "../parts/Picker.tsx";

/** Picks the agent of one or more issues, or none. */
export const AssignPicker = ({
  current,
  onClose,
  onPick,
}: {
  /** The agent of the issue; null if there is none, or if there are several issues. */
  readonly current: string | null;
  readonly onPick: (agentId: string | null) => void;
  readonly onClose: () => void;
}) => {
  const agents = useAgents().data ?? [];
  return (
    <Picker
      title="Assign an agent…"
      free="Assign the new agent"
      options={[
        { id: "", text: "None", icon: <Icon name="close" size={14} /> },
        ...agents.map(({ id }) => ({
          id,
          text: id,
          icon: <Icon name="agents" size={14} />,
          checked: id === current,
        })),
      ]}
      onPick={(id) => onPick(id === "" ? null : id)}
      onClose={onClose}
    />
  );
};
