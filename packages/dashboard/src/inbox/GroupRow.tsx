import type { InboxGroup } from "../data/inbox/groups.ts";
import { plainOf } from "../parts/plain.ts";
import { RetryAll } from "./RetryAll.tsx";
import styles from "./List.module.css";

/** The head of failures that have the same cause: one button retries all of them. */
export const GroupRow = ({ group }: { readonly group: InboxGroup }) => {
  const line = plainOf(group.line ?? "");
  return (
    <section className={styles["group"]} aria-label={`${group.ids.length} failures of one cause`}>
      <p dir="auto" title={line}>
        <strong>{group.ids.length} failed:</strong> {line}
      </p>
      <RetryAll group={group} />
    </section>
  );
};
