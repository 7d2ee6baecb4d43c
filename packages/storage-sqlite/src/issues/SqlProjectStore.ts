import { type Project, ProjectStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { SqlClient } from "effect/sql";
import * as Prepared from "../client/Prepared.ts";
import { mapped } from "../client/StorageErrors.ts";
import { clause } from "../sql/Clause.ts";
import * as ProjectList from "./ProjectList.ts";

/** Settings of projects in the current `SqlClient`. */
export const layer: Layer.Layer<ProjectStore.ProjectStore, never, SqlClient.SqlClient> =
  Layer.effect(
    ProjectStore.ProjectStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const hasRows = Effect.map((rows: number) => rows > 0);
      return ProjectStore.ProjectStore.of({
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
