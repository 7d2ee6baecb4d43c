import { assert, describe, it } from "@effect/vitest";
import type { InboxItem } from "@quartermaster/client";
import { idOf, keyOf } from "../src/data/inbox/identity.ts";

const item = (fields: Partial<InboxItem>): InboxItem => ({
  kind: "webhookFailing",
  priority: "high",
  since: "2026-01-01T00:00:00.000Z",
  projectId: null,
  issueId: null,
  issueKey: null,
  questionId: null,
  callId: null,
  serverId: null,
  agentId: null,
  blocks: null,
  title: "",
  detail: "",
  ...fields,
});

describe("inbox items", () => {
  it("[dashboard.inbox.snooze] an item is snoozed under the id of its question, issue, server, webhook or agent", () => {
    const ids = [
      { kind: "question", questionId: "qst_1", issueId: "iss_1" },
      { kind: "failed", issueId: "iss_1", agentId: "ada" },
      { kind: "serverError", serverId: "mcp_1" },
      { kind: "webhookFailing", webhookId: "whk_1" },
      { kind: "agentSilent", agentId: "ada" },
    ] as const;
    assert.deepStrictEqual(
      ids.map((fields) => idOf(item(fields))),
      ["qst_1", "iss_1", "mcp_1", "whk_1", "ada"],
    );
    const [first, second] = ["whk_1", "whk_2"].map((webhookId) => keyOf(item({ webhookId })));
    assert.notStrictEqual(first, second);
  });
});
