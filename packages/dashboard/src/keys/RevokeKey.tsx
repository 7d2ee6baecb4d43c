import { type ApiKey, useRevokeKey } from "../data/keys.ts";
import { useData } from "../data/live/data.ts";
import { useSessions } from "../data/live/sessions.ts";
import { Confirm } from "../parts/Confirm.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { useToasts } from "../parts/toast.ts";
import styles from "./Dialogs.module.css";

/** The effects of revoking the key, one sentence each. */
const effectsOf = ({ agentId, role }: ApiKey, sessions: number, isOwn: boolean) => [
  agentId === null
    ? role === "Metrics"
      ? "Anything that reads metrics with this key will get a 401."
      : "The server immediately rejects every request with this key."
    : `The server rejects heartbeats, /mcp and tool calls of the agent ${agentId} with this key. Its runs end when their leases expire, and other runs can then pick up the issues.`,
  ...(isOwn
    ? ["You are signed in with this key, so this signs you out."]
    : sessions > 0
      ? [`This ends ${sessions === 1 ? "1 session" : `${sessions} sessions`} of this key.`]
      : []),
  "A revoked key cannot be restored. Create a new one instead.",
];

export const RevokeKey = ({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) => {
  const { signOut } = useData().account;
  const { toast } = useToasts();
  const revoke = useRevokeKey();
  const sessions = (useSessions().data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ keyId }) => keyId === apiKey.id);
  const isOwn = sessions.some(({ current }) => current);
  const confirm = () =>
    revoke.mutate(apiKey.id, {
      onSuccess: () => {
        toast("Key revoked", apiKey.name);
        onClose();
        if (isOwn) void signOut();
      },
    });
  return (
    <Confirm
      title="Revoke this key?"
      action="Revoke key"
      request={revoke}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className={styles["subject"]}>
        <b dir="auto">{apiKey.name}</b>
        <span>
          Last used{" "}
          {apiKey.lastUsedAt === null ? (
            "never"
          ) : (
            <RelativeTime iso={apiKey.lastUsedAt} prefix="Last used" />
          )}
        </span>
      </div>
      <ul className={styles["effects"]}>
        {effectsOf(apiKey, sessions.length, isOwn).map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </Confirm>
  );
};
