import { type ToolCall, useCallRecord } from "../data/runs.ts";
import styles from "./Timeline.module.css";

/** The record of a call. Only Admins get the arguments and the result, if the server's `recordCalls` is `all`. */
type Recorded = ToolCall & {
  readonly arguments?: unknown;
  readonly result?: unknown;
  readonly truncated?: boolean;
};

const Part = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <>
    <h3>{name}</h3>
    <pre tabIndex={0} aria-label={name} dir="auto">
      {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
    </pre>
  </>
);

/** The reason why the arguments and the result are missing. */
const missing = ({ recorded }: ToolCall, isAdmin: boolean): string =>
  recorded === "all" && !isAdmin
    ? "The arguments and the result are shown to Admins."
    : recorded === "all"
      ? "The arguments and the result are no longer stored."
      : "The arguments and the result were not recorded. To record them, set the server's recordCalls to all.";

/** A call with its error, its arguments and its result. */
export const CallDetails = ({ call }: { readonly call: ToolCall }) => {
  const { data } = useCallRecord(call.id);
  const record: Recorded = data ?? call;
  const { error, requestBytes, responseBytes, truncated } = record;
  const hasArguments = record.arguments != null;
  const hasResult = record.result != null;
  return (
    <div className={styles["details"]}>
      <p className={styles["faint"]}>
        {call.id}, {requestBytes} bytes sent, {responseBytes} bytes received
      </p>
      {error === null ? null : <Part name="Error" value={error} />}
      {hasArguments ? <Part name="Arguments" value={record.arguments} /> : null}
      {hasResult ? <Part name="Result" value={record.result} /> : null}
      {truncated === true ? (
        <p className={styles["faint"]}>Only the first 64 KiB of each part are stored.</p>
      ) : null}
      {hasArguments || hasResult ? null : (
        <p className={styles["faint"]}>{missing(call, data !== undefined)}</p>
      )}
    </div>
  );
};
