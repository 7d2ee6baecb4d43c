/**
 * Many issues, half of them in project `p` and the rest in 50 others, with comments, activity,
 * links, runs and events. Some values are rare (`few`, `rare`), others in every second issue.
 */

const at = (n: string): string =>
  `to_char(TIMESTAMP '2026-01-01' + (${n}) * INTERVAL '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const project = "CASE WHEN n % 2 = 0 THEN 'p' ELSE 'q' || n % 50 END";
const by = "'User', 'alice'";

/** A number at the end of a word, in the form of `SearchTokens` of storage-sql. */
const ended = (number: string) => `regexp_replace((${number})::text, '(.)(?=.)', '\\1+', 'g')`;

/** The statements that insert `count` issues, at least 1,000. */
export const statements = (count: number): ReadonlyArray<string> => {
  const each = `generate_series(1, ${count}) n`;
  return [
    `INSERT INTO issues (id, project_id, status, priority, assigned_agent_id, assignee_user_id, goal_id,
      resumed, link_count, version, created_by_type, created_by_id, created_at, updated_at, title,
      paused_because, blocks, labels, external_ref, files)
    SELECT 'iss_' || n, ${project},
      CASE WHEN n % 100 < 20 THEN 'Open' WHEN n % 100 < 22 THEN 'PendingReview' ELSE 'Closed' END,
      n / 2 % 4, CASE WHEN n % 5 < 3 THEN 'agent_' || n / 2 % 500 END,
      CASE WHEN n < 100 THEN 'few' ELSE 'many' END, CASE WHEN n % 7 = 0 THEN 'goal_' || n % 3 END,
      0, CASE WHEN n % 10 < 2 THEN 1 ELSE 0 END, 1, ${by}, ${at("n")}, ${at("n + n % 5000 * 7919 % 5000")},
      'Mend the roof', CASE WHEN n % 100 = 1 OR n % 100 = 4 THEN 'failed' END,
      CASE WHEN n % 10 = 0 THEN 1 ELSE 0 END,
      CASE WHEN n < 100 THEN '["few","many"]' ELSE '["many"]' END,
      CASE WHEN n % 10 = 0 THEN 'ref_' || n END, CASE WHEN n % 38 = 2 THEN 1 ELSE 0 END
    FROM ${each}`,
    `INSERT INTO issue_labels SELECT project_id, value, seq, updated_at, priority
    FROM issues, json_each(issues.labels)`,
    `INSERT INTO issue_counts SELECT project_id, status, count(*) FROM issues GROUP BY 1, 2`,
    `INSERT INTO issue_text (rowid, body) SELECT seq, array_to_tsvector(ARRAY['p' || block || ':' || project_id,
      't' || block || ':ROOf', 't' || block || ':WORD' || ${ended("seq % 200")},
      'd' || block || ':RARE' || ${ended("seq / 6")}, 'c' || block || ':W' || ${ended("seq")}])
    FROM (SELECT seq, project_id, seq / 65536 AS block FROM issues) AS issues`,
    `INSERT INTO links (id, relation, source_id, source_project_id, target_id, target_project_id,
      created_by_type, created_by_id, created_at)
    SELECT 'link_' || n, 'Blocks', 'iss_' || n, 'p', 'iss_' || n + 1, 'q1', ${by}, ${at("n")}
    FROM generate_series(10, ${count - 1}, 10) n`,
    `INSERT INTO comments (id, issue_id, chapter, author_type, author_id, created_at, content)
    SELECT 'com_' || n, 'iss_' || n, 0, ${by}, ${at("n")}, 'a comment' FROM ${each}`,
    `INSERT INTO activity (id, issue_id, kind, actor_type, actor_id, created_at, data)
    SELECT 'act_' || n, 'iss_' || n, 'created', ${by}, ${at("n")}, '{}' FROM ${each}`,
    `INSERT INTO events (seq, id, kind, project_id, subject_id, actor_type, actor_id, created_at, data)
    SELECT n, 'evt_' || n, 'issue.created', ${project}, 'iss_' || n, ${by}, ${at("n")}, '{}'
    FROM ${each}`,
    `UPDATE event_head SET last = ${count}`,
    `INSERT INTO agents (id, name, created_at, last_heartbeat_at, paused)
    SELECT 'agent_' || n, 'name', ${at("0")}, ${at("n")}, CASE WHEN n = 1 THEN 1 ELSE 0 END
    FROM generate_series(0, 999) n`,
    `INSERT INTO runs (id, agent_id, issue_id, project_id, status, comment_seq, started_at,
      lease_seconds, lease_expires_at, ended_at)
    SELECT 'run_' || n, 'agent_' || n / 2 % 500, 'iss_' || n, ${project},
      CASE WHEN n % 1000 = 0 THEN 'active' ELSE 'ended' END, 0, ${at("n")}, 60, ${at("n + 60")},
      CASE WHEN n % 1000 = 0 THEN NULL ELSE ${at("n + 60")} END
    FROM ${each}`,
    `INSERT INTO questions (id, issue_id, project_id, asked_by_type, asked_by_id, kind, prompt,
      blocking, status, created_at, on_expiry)
    SELECT 'qst_' || n, 'iss_' || n, ${project}, ${by}, 'text', 'Which?', 1,
      CASE WHEN n % 100 = 0 THEN 'open' ELSE 'answered' END, ${at("n")}, 'fail'
    FROM generate_series(10, ${count}, 10) n`,
    "ANALYZE",
  ];
};

/** The statements that insert ten webhooks and `count` deliveries, of which a tenth waits for the first webhook. */
export const deliveries = (count: number): ReadonlyArray<string> => [
  `INSERT INTO webhooks (id, url, name, kinds, format, status, secret_set_at, created_by_type,
    created_by_id, created_at, updated_at, event_cursor, timeouts)
  SELECT 'whk_' || n, 'https://example.com', 'name', '["issue.*"]', 'standard', 'enabled', ${at("0")},
    ${by}, ${at("0")}, ${at("0")}, 0, 0
  FROM generate_series(0, 9) n`,
  `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_seq, kind, status, attempts,
    next_attempt_at, claim, created_at, delivered_at)
  SELECT 'dlv_' || n, 'whk_' || n % 10, 'evt_' || n, n, 'issue.created',
    CASE WHEN n % 10 = 0 THEN 'pending' WHEN n % 1000 = 1 THEN 'failed' ELSE 'delivered' END,
    CASE WHEN n % 20 = 0 THEN 0 ELSE 1 END,
    CASE WHEN n % 10 = 0 THEN ${at("n")} END, CASE WHEN n % 10000 = 0 THEN 'claim' END, ${at("n")},
    CASE WHEN n % 10 > 0 AND n % 1000 <> 1 THEN ${at("n")} END
  FROM generate_series(1, ${count}) n`,
  "ANALYZE",
];
