import { useNewestCalls } from "../../data/servers/calls.ts";
import { Sparkline } from "../../parts/Sparkline.tsx";
import { duration, isFailed, quantile } from "../latency.ts";
import { plural } from "../words.ts";

/** The durations of a server's newest calls. Failed calls are marked. */
export const CallSparkline = ({ serverId }: { readonly serverId: string }) => {
  const { data: calls = [] } = useNewestCalls(serverId);
  if (calls.length === 0) return null;
  const failed = calls.filter(isFailed).length;
  return (
    <>
      <Sparkline
        label={`Last ${plural(calls.length, "call")}: ${failed} failed, median ${duration(quantile(calls, 0.5) ?? 0)}.`}
        newestFirst={calls.flatMap((call) =>
          call.durationMs === null
            ? []
            : [
                {
                  id: call.id,
                  value: call.durationMs,
                  color: isFailed(call) ? "var(--danger)" : "var(--accent)",
                },
              ],
        )}
      />
      <small aria-hidden="true">
        {plural(calls.length, "call")}
        {failed === 0 ? "" : `, ${failed} failed`}
      </small>
    </>
  );
};
