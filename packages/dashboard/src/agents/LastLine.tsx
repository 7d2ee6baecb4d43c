import { type Run, useLastLine } from "../data/runs.ts";
import styles from "./AgentPage.module.css";

/** The newest line of the log of a run. */
export const LastLine = ({ run }: { readonly run: Run }) => {
  const { data } = useLastLine(run);
  return data == null ? null : (
    <code className={styles["lastLine"]} title={data} dir="auto">
      {data}
    </code>
  );
};
