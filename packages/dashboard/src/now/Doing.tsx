import { type Run, useLastLine, useRun } from "../data/runs.ts";
import styles from "./Now.module.css";

const LastLine = ({ run }: { readonly run: Run }) => {
  const { data } = useLastLine(run);
  return data == null ? null : (
    <code className={styles["lastLine"]} title={data} dir="auto">
      {data}
    </code>
  );
};

/** The newest note of a run, and the newest line of its log. */
export const Doing = ({ run: read }: { readonly run: Run }) => {
  const { data: run = read } = useRun(read.id, read);
  if (run.note === null && run.logBytes === 0) return null;
  return (
    <div className={styles["doing"]}>
      {run.note === null ? null : (
        <span className={styles["noted"]} title={run.note} dir="auto">
          {run.note}
        </span>
      )}
      {run.logBytes === 0 ? null : <LastLine run={run} />}
    </div>
  );
};
