import { type Agent, AgentStore, Run } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

/** Changes fields of an agent. Returns whether the agent exists. */
const change = ({ agents }: Tables, agentId: string, fields: Partial<Agent.AgentRow>): boolean => {
  const agent = agents.get(agentId);
  if (agent === undefined) return false;
  agents.set(agentId, { ...agent, ...fields });
  return true;
};

export const layer = Layer.effect(
  AgentStore.AgentStore,
  Effect.map(Database, (database) =>
    AgentStore.AgentStore.of({
      register: (agentId, now) =>
        database.write(({ agents }) => {
          if (agents.get(agentId) !== undefined) {
            return false;
          }
          agents.set(agentId, {
            seq: database.nextSeq(),
            id: agentId,
            name: agentId,
            lastHeartbeatAt: null,
            paused: false,
            toolMode: "direct",
            callsNeedRun: false,
            createdAt: now,
            halted: null,
          });
          return true;
        }),
      update: ({ callsNeedRun, id, name, paused, toolMode }) =>
        Effect.asVoid(
          database.write((tables) => change(tables, id, { name, paused, toolMode, callsNeedRun })),
        ),
      idleHeartbeat: () => Effect.succeed(false),
      heartbeat: (agentId, now) =>
        database.write((tables) =>
          change(tables, agentId, { lastHeartbeatAt: now })
            ? tables.agents.get(agentId)?.halted !== null
            : null,
        ),
      halt: (agentId, halted) =>
        Effect.asVoid(database.write((tables) => change(tables, agentId, { halted }))),
      get: (agentId) => database.read(({ agents }) => Option.fromNullishOr(agents.get(agentId))),
      remove: (agentId) =>
        database.write(({ access, agents, snoozes }) => {
          agents.delete(agentId);
          Rows.prune(snoozes, Infinity, ({ itemId }) => itemId === agentId);
          Rows.prune(access, Infinity, (entry) => entry.agentId === agentId);
        }),
      count: database.read(({ agents }) => Array.from(agents.values()).length),
      countSince: (since) =>
        database.read(
          ({ agents }) =>
            Array.from(agents.values()).filter(
              ({ lastHeartbeatAt }) => lastHeartbeatAt !== null && lastHeartbeatAt >= since,
            ).length,
        ),
      isAssigned: (agentId) =>
        database.read(({ issues }) =>
          Array.from(issues.values()).some((issue) => issue.assignedAgentId === agentId),
        ),
      list: (projects, now, slice) =>
        database.read(({ agents, runs }) => {
          const visible = Rows.among(projects);
          const live = Array.from(runs.values()).filter(
            (run) => Run.isLive(run, now) && visible(run.projectId),
          );
          return Rows.slice(agents.values(), slice, () => true).map((agent) =>
            Object.assign({}, agent, {
              activeRuns: live.filter((run) => run.agentId === agent.id).length,
            }),
          );
        }),
    }),
  ),
);
