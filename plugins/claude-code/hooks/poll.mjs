// poll.mjs SESSION PID: asks the server every second how the session's run stands, and writes it for before.sh. Ends
// with the process PID, which runs the session, with the session, and when another poll took over. It holds no lease:
// its requests renew nothing.
import { setTimeout as sleep } from "node:timers/promises";
import { acknowledge, stateOf } from "./service.mjs";
import { livesSince, open } from "./session-files.mjs";

/** With the time of a request, less than a second. */
const everyMillis = 800;

const [id, host] = process.argv.slice(2);
const session = open(id);
const isHostAlive = livesSince(Number(host));

/** The run that the previous look found as handed in: its session may not have noted its own hand-in yet. */
let ended = null;

const look = async () => {
  const { runId } = session.read();
  if (runId === null) return;
  if (session.has("stopped")) {
    await acknowledge(runId);
    session.hold(null);
    return;
  }
  const state = await stateOf(runId);
  if (session.read().runId !== runId) return;
  if (state === null) session.hold(null);
  else if (state.isHandedIn && ended !== runId) ended = runId;
  else session.judge(runId, state.until, state.stop);
};

do {
  // Without news before.sh judges by the last known lease.
  await look().catch(() => {});
  await sleep(everyMillis);
} while (isHostAlive() && session.isPolling());

if (session.has("stopped")) await look().catch(() => {});
if (session.isPolling()) session.remove("state", "poll");
