import { useCallback } from "react";
import { type ApiKey, useKeys } from "../data/keys.ts";
import { useMay } from "../data/live/session.ts";
import { useSessions } from "../data/live/sessions.ts";
import { Button } from "../parts/Button.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { ScreenList } from "../parts/ScreenList.tsx";
import { KeyRow } from "./KeyRow.tsx";
import styles from "./Keys.module.css";

export const KeyList = ({
  onCreate,
  onRevoke,
}: {
  readonly onCreate: () => void;
  readonly onRevoke: (key: ApiKey) => void;
}) => {
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useKeys();
  const mayManage = useMay("Admin");
  const ownId = useSessions()
    .data?.pages.flatMap(({ items }) => items)
    .find(({ current }) => current)?.keyId;
  const row = useCallback(
    (key: ApiKey) => (
      <KeyRow apiKey={key} isOwn={key.id === ownId} onRevoke={mayManage ? onRevoke : undefined} />
    ),
    [mayManage, onRevoke, ownId],
  );
  const keys = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <ScreenList
      className={styles["list"]}
      label="API keys"
      heads={["Name", "Role", "Acts as", "Projects", "Created", "Last used", "Expires"]}
      items={keys}
      keyOf={({ id }) => id}
      height={53}
      onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
      row={row}
      isPending={isPending}
      error={error}
      empty={
        <EmptyState
          icon="key"
          title="No keys yet"
          text="Create one key for each agent, program and person, so that you can revoke each separately. Copy a key when you create it."
          command="quartermaster key create worker --agent atlas --expires 30d"
          action={
            <Button variant="primary" onClick={onCreate}>
              New key
            </Button>
          }
        />
      }
    />
  );
};
