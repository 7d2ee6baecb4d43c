import { initial } from "./0001_initial.ts";
import { mcp } from "./0002_mcp.ts";
import { sessionTokens } from "./0003_session_tokens.ts";
import { issueCounts } from "./0004_issue_counts.ts";
import { attempts } from "./0005_attempts.ts";
import { workers } from "./0006_workers.ts";
import { questions } from "./0007_questions.ts";
import { pauses } from "./0008_pauses.ts";
import { endedSessions } from "./0009_ended_sessions.ts";
import { inbox } from "./0010_inbox.ts";
import { toolStates } from "./0011_tool_states.ts";
import { ownEntries } from "./0012_own_entries.ts";

/** Every migration ever shipped, in order. Migrations are added, never changed. */
export const manifest = {
  "0001_initial": initial,
  "0002_mcp": mcp,
  "0003_session_tokens": sessionTokens,
  "0004_issue_counts": issueCounts,
  "0005_attempts": attempts,
  "0006_workers": workers,
  "0007_questions": questions,
  "0008_pauses": pauses,
  "0009_ended_sessions": endedSessions,
  "0010_inbox": inbox,
  "0011_tool_states": toolStates,
  "0012_own_entries": ownEntries,
};
