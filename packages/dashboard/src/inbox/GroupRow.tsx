import type { InboxGroup } from "../data/inbox/groups.ts";
import { RetryAll } from "./RetryAll.tsx";
import styles from "./List.module.css";

/** The head of failures that have the same cause: one button retries all of them. */
export const GroupRow = ({ group }: { readonly group: InboxGroup }) => (
  <section className={styles["group"]} aria-label={`${group.ids.length} failures of one cause`}>
    <p dir="auto" title={group.line ?? undefined}>
      <strong>{group.ids.length} failed:</strong> {group.line}
    </p>
    <RetryAll group={group} />
  </section>
);
