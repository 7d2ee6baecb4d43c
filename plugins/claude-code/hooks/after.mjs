// After a tool: notes the run that the session holds, after work_next, work_turn and work_finish; after other tools,
// every 30 seconds, renews the run's lease, and ends the host's turn if the run has to stop.
//
// The session's run is the one that its own calls returned, or QM_RUN_ID under `quartermaster work`. It is
// never guessed from the agent's runs: another session of the same agent may hold those.
import { brief } from "./brief.mjs";
import { answer, host, input, session, stop, tell, workTool } from "./host.mjs";
import { acknowledge, handedIn, renew } from "./service.mjs";
import { now } from "./session-files.mjs";

const everySeconds = 30;
const briefedEverySeconds = 600;
const defaultLeaseSeconds = 900;

const note = (tool) => {
  const { action, reason, run, runId } = answer();
  if (tool === "work_next") {
    if (run) {
      session.hold(run.runId);
      session.mark("briefed");
      session.judge(run.runId, now() + (input.tool_input?.leaseSeconds ?? defaultLeaseSeconds));
    } else if (reason !== "busy") session.hold(null);
    session.forget();
  } else if (tool === "work_finish" || action === "stop") {
    session.hold(null);
  } else if (action === "continue") {
    const held = runId ?? input.tool_input?.runId ?? session.read().runId;
    if (held !== null) session.hold(held);
  }
  if (session.read().runId !== null) session.poll();
};

const keep = async () => {
  const { renewed, runId } = session.read();
  if (runId === null) return;
  session.poll();
  if (now() - renewed < everySeconds) return;
  // Before the request: calls of tools at the same time send one.
  session.hold(runId);
  const { issueId, stop: sentence } = await renew(runId);
  if (sentence !== undefined) {
    // A subagent stops immediately, and the main thread after its next tool.
    if (input.agent_id === undefined) {
      await acknowledge(runId);
      session.hold(null);
    } else session.hold(runId, { renewed: 0 });
    return stop(sentence);
  }
  if (issueId === undefined) {
    session.hold(null);
    return process.env.QM_RUN_ID ? undefined : stop(handedIn);
  }
  // Gemini CLI reports no compaction: PreCompress comes before each request to its model.
  if (host !== "gemini" || session.age("briefed") < briefedEverySeconds) return;
  session.mark("briefed");
  const text = await brief(runId, false);
  if (text !== null) tell(text);
};

const tool = workTool();
await (tool === undefined ? keep() : note(tool));
