import { type InboxGroup, useRetryAll } from "../data/inbox/groups.ts";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";

/** The button that retries all failures of one cause, up to 200. */
export const RetryAll = ({
  group: { ids },
  hasKey = false,
}: {
  readonly group: InboxGroup;
  /** Whether the key for all failures of one cause presses this button. */
  readonly hasKey?: boolean;
}) => {
  const { error, isPending, mutate } = useRetryAll();
  return (
    <>
      <Button
        small
        disabled={isPending}
        data-retry-all={hasKey || undefined}
        onClick={() => mutate(ids)}
      >
        Retry all {ids.length}
      </Button>
      <ErrorNote error={error} />
    </>
  );
};
