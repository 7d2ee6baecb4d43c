import { Badge } from "../parts/Badge.tsx";
import { RelativeTime, useNow } from "../parts/RelativeTime.tsx";
import styles from "./Keys.module.css";

const soonMillis = 7 * 86_400_000;

/** The expiry of a key, highlighted if it is near or past. */
export const Expiry = ({ iso }: { readonly iso: string | null }) => {
  const now = useNow();
  const label = <span className={styles["label"]}>Expires </span>;
  if (iso === null) {
    return (
      <>
        {label}
        <span className={styles["none"]}>never</span>
      </>
    );
  }
  const rest = Date.parse(iso) - now;
  if (rest <= 0)
    return <Badge text="Expired" tone="danger" title={new Date(iso).toLocaleString()} />;
  return (
    <>
      {label}
      <span className={rest < soonMillis ? styles["soon"] : undefined}>
        <RelativeTime iso={iso} prefix="Expires" />
      </span>
    </>
  );
};
