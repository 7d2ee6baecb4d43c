import { type Project, ProjectStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { SqlClient } from "effect/sql";
import { clause, raw } from "../sql/Clause.ts";
import * as Dialect from "../sql/Dialect.ts";
import * as Prepared from "../sql/Prepared.ts";
import { mapped } from "../sql/StorageErrors.ts";
import * as Table from "../sql/Table.ts";
import * as ProjectList from "./ProjectList.ts";

const table = Table.make<Project.ProjectRow>("projects", (cells, row) => ({
  id: cells.plain("id", row.id),
  prefix: cells.plain("prefix", row.prefix),
  name: cells.plain("name", row.name),
  description: cells.plain("description", row.description),
}));

/** Projects and their settings in the current `SqlClient`. */
export const layer: Layer.Layer<ProjectStore.ProjectStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ProjectStore.ProjectStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const hasRows = Effect.map((rows: number) => rows > 0);
      const get = Prepared.one(sql, table, "WHERE id = ?");
      // The lock of a rule of PostgreSQL, see docs/second-engine.md, and the read are one statement.
      const hold = Dialect.either(sql, get, Prepared.one(sql, table, "WHERE id = ? FOR KEY SHARE"));
      const upsert = Prepared.upsert(sql, table, ["id"]);
      // Its settings and shared views. `issue_counts` has rows with zeros.
      const removals = Object.entries({
        projects: "id",
        paused_projects: "project_id",
        project_settings: "project_id",
        issue_counts: "project_id",
        saved_views: "project_id",
      });
      const ownerOf = Prepared.query<readonly [projectId: string]>(
        sql,
        "SELECT project_id FROM project_prefixes WHERE prefix = ?",
      );
      return ProjectStore.ProjectStore.of({
        get: (projectId) => mapped(get(projectId)),
        put: (project) =>
          mapped(
            Effect.andThen(
              Prepared.execute(
                sql,
                clause`INSERT INTO project_prefixes (prefix, project_id)
                  VALUES (${project.prefix}, ${project.id}) ON CONFLICT (prefix) DO NOTHING`,
              ),
              upsert([project]),
            ),
          ),
        hold: (projectId) => mapped(hold(projectId)),
        remove: (projectId) =>
          mapped(
            Effect.forEach(
              removals,
              ([name, column]) =>
                Prepared.execute(
                  sql,
                  clause`DELETE FROM ${raw(name)} WHERE ${raw(column)} = ${projectId}`,
                ),
              { discard: true },
            ),
          ),
        ownerOf: (prefix) =>
          mapped(Effect.map(ownerOf(prefix), ([row]) => Option.fromNullishOr(row?.[0]))),
        countPrefixes: (projectId) =>
          mapped(
            Prepared.count(
              sql,
              clause`SELECT 1 FROM project_prefixes WHERE project_id = ${projectId}`,
            ),
          ),
        isPaused: (projectId) =>
          mapped(
            Prepared.count(
              sql,
              clause`SELECT 1 FROM paused_projects WHERE project_id = ${projectId}`,
            ).pipe(hasRows),
          ),
        setPaused: (projectId, paused) =>
          mapped(
            Prepared.count(
              sql,
              paused
                ? clause`INSERT INTO paused_projects (project_id) VALUES (${projectId})
                    ON CONFLICT (project_id) DO NOTHING RETURNING 1`
                : clause`DELETE FROM paused_projects WHERE project_id = ${projectId} RETURNING 1`,
            ).pipe(hasRows),
          ),
        agentsMay: (projectId) =>
          mapped(
            Effect.map(
              Prepared.run<readonly [agentsMay: Project.AgentsMay]>(
                sql,
                clause`SELECT agents_may FROM project_settings WHERE project_id = ${projectId}`,
              ),
              ([row]) => row?.[0] ?? "resolve",
            ),
          ),
        setAgentsMay: (projectId, agentsMay) =>
          mapped(
            Effect.asVoid(
              Prepared.run(
                sql,
                agentsMay === "resolve"
                  ? clause`DELETE FROM project_settings WHERE project_id = ${projectId}`
                  : clause`INSERT INTO project_settings (project_id, agents_may)
                      VALUES (${projectId}, ${agentsMay})
                      ON CONFLICT (project_id) DO UPDATE SET agents_may = excluded.agents_may`,
              ),
            ),
          ),
        list: (projects, slice) => mapped(ProjectList.read(sql, projects, slice)),
      });
    }),
  );
