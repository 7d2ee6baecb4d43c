import { callLimit, type ToolCall, useCalls } from "../../data/servers/calls.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { useCommands } from "../../parts/commands.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Skeleton } from "../../parts/Skeleton.tsx";
import { VirtualList } from "../../parts/VirtualList.tsx";
import { barsOf, duration, isFailed, quantile } from "../latency.ts";
import { plural } from "../words.ts";
import { CallRow } from "./CallRow.tsx";
import { Histogram } from "./Histogram.tsx";
import styles from "./Calls.module.css";

const rowOf = (call: ToolCall) => <CallRow call={call} />;

/** The newest calls of the server's tools, with a histogram of their durations. */
export const Calls = ({ server }: { readonly server: InstalledServer }) => {
  const { data, error, isFetching, isPending, refetch } = useCalls(server.id);
  useCommands([
    {
      id: "refresh",
      title: "Refresh the calls",
      section: "Server",
      keys: "u",
      run: () => void refetch(),
    },
  ]);
  if (error !== null && data === undefined) {
    return (
      <div className={styles["state"]}>
        <ErrorNote error={error} />
      </div>
    );
  }
  if (isPending) {
    return (
      <div className={styles["state"]}>
        <Skeleton height={80} />
        <Skeleton />
        <Skeleton width="70%" />
      </div>
    );
  }
  const refresh = (
    <Button small disabled={isFetching} onClick={() => void refetch()}>
      Refresh
    </Button>
  );
  if (data.length === 0) {
    return (
      <EmptyState
        icon="server"
        title="No calls yet"
        text="Enable the server and grant it to an agent. The agent's calls appear here, without arguments and results."
        command={`quartermaster server grant ${server.name} AGENT`}
        action={refresh}
      />
    );
  }
  const failed = data.filter(isFailed).length;
  const [half, most] = [quantile(data, 0.5) ?? 0, quantile(data, 0.95) ?? 0];
  const summary = [
    `${data.length < callLimit ? "" : "The newest "}${plural(data.length, "call")}`,
    `${failed.toLocaleString()} failed`,
    `median ${duration(half)}`,
    `95th percentile ${duration(most)}`,
  ].join(", ");
  return (
    <div className={styles["calls"]}>
      <div className={styles["summary"]}>
        <p>{summary}</p>
        {refresh}
      </div>
      <Histogram bars={barsOf(data)} label={`Latency: ${summary}`} />
      <VirtualList
        className={styles["list"]}
        items={data}
        keyOf={({ id }) => id}
        row={rowOf}
        height={37}
        label="Calls"
        isFocusable
      />
    </div>
  );
};
