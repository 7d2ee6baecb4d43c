// When the model is done and the session holds a run: reminds it once to hand the run in.
import { goOn, input, session } from "./host.mjs";
import { acknowledge, renew } from "./service.mjs";

const { runId } = session.read();
// The host has reminded it, or goes on when its background work is done.
if (runId !== null && !input.stop_hook_active && !(input.background_tasks?.length > 0)) {
  const { issueId, stop } = await renew(runId);
  if (stop !== undefined) {
    await acknowledge(runId);
    session.hold(null);
  } else if (issueId === undefined) {
    session.hold(null);
  } else {
    session.hold(runId);
    goOn(
      `You still hold the issue ${issueId}. Hand it in with work_finish: review, resolved, released or ` +
        "failed. If you wait for your user instead, say so and stop.",
    );
  }
}
