// At the start of a session, after a resume and after a compaction.
import { brief } from "./brief.mjs";
import { input, session, tell } from "./host.mjs";

const { earlier, runId } = session.read();
const isNamed = Boolean(process.env.QM_RUN_ID);
const held = isNamed ? process.env.QM_RUN_ID : (runId ?? earlier);
if (held !== null) {
  const isEarlier = !isNamed && (runId === null || input.source !== "compact");
  const text = await brief(held, isEarlier);
  if (text === null) session.hold(null);
  else {
    // A process that does not hold the run must not renew it: it could never be taken over.
    if (isEarlier) session.hold(null, { earlier: held });
    else {
      if (isNamed) session.hold(held, { renewed: 0 });
      session.poll();
    }
    tell(text);
  }
}
