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
import { outages } from "./0013_outages.ts";
import { labels } from "./0014_labels.ts";
import { serverLimits } from "./0015_server_limits.ts";
import { resources } from "./0016_resources.ts";
import { accessLimits } from "./0017_access_limits.ts";
import { issueLists } from "./0018_issue_lists.ts";
import { instructions } from "./0019_instructions.ts";
import { stats } from "./0020_stats.ts";
import { sessionSecrets } from "./0021_session_secrets.ts";
import { agentsMay } from "./0022_agents_may.ts";
import { silentAgents } from "./0023_silent_agents.ts";
import { haltedRunners } from "./0024_halted_runners.ts";
import { callTimes } from "./0025_call_times.ts";
import { runLogs } from "./0026_run_logs.ts";
import { runNotes } from "./0027_run_notes.ts";
import { workerFence } from "./0028_worker_fence.ts";
import { admittedCalls } from "./0029_admitted_calls.ts";
import { callsNeedRun } from "./0030_calls_need_run.ts";
import { once } from "./0031_once.ts";
import { effects } from "./0032_effects.ts";
import { callSettings } from "./0033_call_settings.ts";
import { resumedRuns } from "./0034_resumed_runs.ts";
import { usage } from "./0035_usage.ts";
import { unknownEffects } from "./0036_unknown_effects.ts";
import { prompts } from "./0037_prompts.ts";
import { callBodies } from "./0038_call_bodies.ts";
import { earlierCalls } from "./0039_earlier_calls.ts";
import { deliveringEffects } from "./0040_delivering_effects.ts";
import { usageSums } from "./0041_usage_sums.ts";
import { runTurns } from "./0042_run_turns.ts";
import { processLeases } from "./0043_process_leases.ts";
import { snoozes } from "./0044_snoozes.ts";
import { searchIndex } from "./0045_search_index.ts";
import { issueKeys } from "./0046_issue_keys.ts";
import { versions } from "./0047_versions.ts";
import { issueFilters } from "./0048_issue_filters.ts";
import { auditLog } from "./0049_audit_log.ts";
import { savedViews } from "./0050_saved_views.ts";
import { knownVersions } from "./0051_known_versions.ts";
import { webhooks } from "./0052_webhooks.ts";
import { formerNumbers } from "./0053_former_numbers.ts";
import { mentions } from "./0054_mentions.ts";
import { snoozedItems } from "./0055_snoozed_items.ts";
import { keyWords } from "./0056_key_words.ts";

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
  "0013_outages": outages,
  "0014_labels": labels,
  "0015_server_limits": serverLimits,
  "0016_resources": resources,
  "0017_access_limits": accessLimits,
  "0018_issue_lists": issueLists,
  "0019_instructions": instructions,
  "0020_stats": stats,
  "0021_session_secrets": sessionSecrets,
  "0022_agents_may": agentsMay,
  "0023_silent_agents": silentAgents,
  "0024_halted_runners": haltedRunners,
  "0025_call_times": callTimes,
  "0026_run_logs": runLogs,
  "0027_run_notes": runNotes,
  "0028_worker_fence": workerFence,
  "0029_admitted_calls": admittedCalls,
  "0030_calls_need_run": callsNeedRun,
  "0031_once": once,
  "0032_effects": effects,
  "0033_call_settings": callSettings,
  "0034_resumed_runs": resumedRuns,
  "0035_usage": usage,
  "0036_unknown_effects": unknownEffects,
  "0037_prompts": prompts,
  "0038_call_bodies": callBodies,
  "0039_earlier_calls": earlierCalls,
  "0040_delivering_effects": deliveringEffects,
  "0041_usage_sums": usageSums,
  "0042_run_turns": runTurns,
  "0043_process_leases": processLeases,
  "0044_snoozes": snoozes,
  "0045_search_index": searchIndex,
  "0046_issue_keys": issueKeys,
  "0047_versions": versions,
  "0048_issue_filters": issueFilters,
  "0049_audit_log": auditLog,
  "0050_saved_views": savedViews,
  "0051_known_versions": knownVersions,
  "0052_webhooks": webhooks,
  "0053_former_numbers": formerNumbers,
  "0054_mentions": mentions,
  "0055_snoozed_items": snoozedItems,
  "0056_key_words": keyWords,
};
