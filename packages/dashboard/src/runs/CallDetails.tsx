import { type ToolCall, useCallRecord } from "../data/runs.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import styles from "./Timeline.module.css";

const Part = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <>
    <h3>{name}</h3>
    <pre tabIndex={0} aria-label={name} dir="auto">
      {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
    </pre>
  </>
);

/** The reason why the arguments and the result are missing. */
const missing = ({ recorded }: ToolCall, isAdmin: boolean): string => {
  if (recorded !== "all") {
    return "The arguments and the result were not recorded. To record them, set the server's recordCalls to all.";
  }
  return isAdmin
    ? "No arguments and no result are stored."
    : "The arguments and the result are shown to Admins.";
};

/** A call with its error, its arguments and its result. Only Admins get the last two, if the server's `recordCalls` is `all`. */
export const CallDetails = ({ call }: { readonly call: ToolCall }) => {
  const { data: record, error: failure, isLoading } = useCallRecord(call);
  const { error, id, requestBytes, responseBytes } = record ?? call;
  const isEmpty = record?.arguments == null && record?.result == null;
  return (
    <div className={styles["details"]}>
      <p className={styles["faint"]}>
        {id}, {requestBytes} bytes sent, {responseBytes} bytes received
      </p>
      {error === null ? null : <Part name="Error" value={error} />}
      {record?.arguments == null ? null : <Part name="Arguments" value={record.arguments} />}
      {record?.result == null ? null : <Part name="Result" value={record.result} />}
      {record?.truncated === true ? (
        <p className={styles["faint"]}>Only the first 64 KiB of each part are stored.</p>
      ) : null}
      <ErrorNote error={failure} />
      {isEmpty && !isLoading && failure === null ? (
        <p className={styles["faint"]}>{missing(call, record !== undefined)}</p>
      ) : null}
    </div>
  );
};
