import { useQuestion } from "../data/inbox/decisions.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { IssueText } from "../texts/IssueText.tsx";
import styles from "./Item.module.css";

/** The whole question. Until it is loaded, its first 500 characters. */
export const Question = ({ item }: { readonly item: InboxItem }) => {
  const { data, error } = useQuestion(item.questionId ?? "");
  if (error !== null && data === undefined) return <ErrorNote error={error} />;
  return (
    <section className={styles["part"]} aria-label="Question">
      <div className={styles["question"]} dir="auto">
        <IssueText text={data?.prompt ?? item.detail} />
      </div>
      {data === undefined || data.expiresAt === null ? null : (
        <p className={styles["note"]}>
          Expires <RelativeTime iso={data.expiresAt} />
        </p>
      )}
    </section>
  );
};
