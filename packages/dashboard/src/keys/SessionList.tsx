import { useData } from "../data/live/data.ts";
import { type LoginSession, useEndSessions, useSessions } from "../data/live/sessions.ts";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { useToasts } from "../parts/toast.ts";
import { SessionRow } from "./SessionRow.tsx";
import styles from "./Keys.module.css";

const Group = ({
  onEnd,
  sessions,
  title,
}: {
  readonly title: string;
  readonly sessions: ReadonlyArray<LoginSession>;
  readonly onEnd: (session: LoginSession) => void;
}) =>
  sessions.length === 0 ? null : (
    <section aria-label={title}>
      <h2 className={styles["group"]}>
        {title} <span>{sessions.length}</span>
      </h2>
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <SessionRow session={session} onEnd={() => onEnd(session)} />
          </li>
        ))}
      </ul>
    </section>
  );

/** The sessions of the user; for an Owner, of all users. */
export const SessionList = () => {
  const { signOut } = useData().account;
  const { toast } = useToasts();
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useSessions();
  const end = useEndSessions();
  const sessions = data?.pages.flatMap(({ items }) => items) ?? [];
  const current = sessions.find((session) => session.current);
  const own = sessions
    .filter(({ keyId }) => keyId === current?.keyId)
    .toSorted((a, b) => Number(b.current) - Number(a.current));
  const others = sessions.filter(({ keyId }) => keyId !== current?.keyId);
  const elsewhere = own.filter((session) => !session.current).map(({ id }) => id);

  const endOne = (session: LoginSession) => {
    if (session.current) void signOut();
    else end.mutate([session.id], { onSuccess: () => toast("Session ended") });
  };
  const endAll = () =>
    end.mutate(elsewhere, {
      onSuccess: () => toast("Signed out everywhere else", "This session continues."),
    });

  if (isPending) {
    return (
      <div className={styles["state"]}>
        <Skeleton />
        <Skeleton width="70%" />
      </div>
    );
  }
  return (
    <div className={styles["sessions"]}>
      <ErrorNote error={error} className={styles["state"]} />
      <div className={styles["lead"]}>
        <p>
          A session expires 12 hours after its last use, and no later than 7 days after sign-in.
        </p>
        <Button disabled={elsewhere.length === 0 || end.isPending} onClick={endAll}>
          End all others
        </Button>
      </div>
      <Group title="Your sessions" sessions={own} onEnd={endOne} />
      <Group title="Sessions of other keys" sessions={others} onEnd={endOne} />
      {hasNextPage ? (
        <div className={styles["state"]}>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </div>
  );
};
