import { Version } from "@quartermaster/cli";
import {
  Connections,
  InstalledServer,
  Issue,
  IssueStore,
  McpServerStore,
  QuestionStore,
  Timestamp,
} from "@quartermaster/core";
import { MetricsText } from "@quartermaster/http";
import { Effect, FileSystem, Layer, Metric, Path } from "effect";
import { PrometheusMetrics } from "effect/observability";
import { DataDirectory } from "../data/DataDirectory.ts";
import { Worker } from "../workers/Worker.ts";
import * as ProcessMetrics from "./ProcessMetrics.ts";

const memory = Metric.gauge("process_resident_memory_bytes", {
  description: "Resident memory of the process.",
});
const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "User and system time of the process.",
});
const lagMean = Metric.gauge("quartermaster_event_loop_lag_mean_seconds", {
  description: "How late timers fired on average since the last scrape.",
});
const lagMax = Metric.gauge("quartermaster_event_loop_lag_max_seconds", {
  description: "How late a timer fired at worst since the last scrape.",
});
const database = Metric.gauge("quartermaster_database_bytes", {
  description: "The database and its write-ahead log on disk.",
});

const connections = Metric.gauge("quartermaster_mcp_connections", {
  description: "Open connections to MCP servers.",
});

const issues = Metric.gauge("quartermaster_issues", { description: "Issues, by status." });
const questions = Metric.gauge("quartermaster_open_questions", {
  description: "Open questions.",
});
const servers = Metric.gauge("quartermaster_mcp_servers", {
  description: "Installed MCP servers, by status.",
});
const build = Metric.gauge("quartermaster_build_info", { description: "1, by version." });

/** The metrics of requests, the process, the database and MCP servers as text. */
export const layer = Layer.effect(
  MetricsText.MetricsText,
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem;
    const path = yield* Path.Path;
    const directory = yield* DataDirectory;
    const { count } = yield* Connections.Connections;
    const store = yield* McpServerStore.McpServerStore;
    yield* Metric.update(Metric.withAttributes(build, { version: yield* Version.Version }), 1);
    const { countByStatus } = yield* IssueStore.IssueStore;
    const updateIssues = Effect.gen(function* () {
      const counts = yield* countByStatus(null);
      for (const status of Issue.IssueStatus.literals) {
        yield* Metric.update(Metric.withAttributes(issues, { status }), counts[status]);
      }
    });
    const { countOpen } = yield* QuestionStore.QuestionStore;
    const updateQuestions = Effect.gen(function* () {
      yield* Metric.update(questions, yield* countOpen(null, yield* Timestamp.now));
    });
    const updateServers = Effect.gen(function* () {
      const installed = yield* store.list;
      for (const status of InstalledServer.ServerStatus.literals) {
        const number = installed.filter((server) => server.status === status).length;
        yield* Metric.update(Metric.withAttributes(servers, { status }), number);
      }
    });
    const lag = yield* Effect.acquireRelease(Effect.sync(ProcessMetrics.eventLoopLag), ({ stop }) =>
      Effect.sync(stop),
    );
    let reportedCpu = 0;

    const databaseBytes = Effect.gen(function* () {
      const names = yield* fs.readDirectory(directory.path);
      const files = names.filter((name) => /\.(db|sqlite)(-wal)?$/.test(name));
      const stats = yield* Effect.forEach(files, (name) =>
        fs.stat(path.join(directory.path, name)),
      );
      return stats.reduce((total, { size }) => total + Number(size), 0);
    }).pipe(Effect.orElseSucceed(() => Number.NaN));

    const own = Effect.gen(function* () {
      const { max, mean } = lag.read();
      yield* Metric.update(lagMean, mean);
      yield* Metric.update(lagMax, max);
      yield* Metric.update(memory, ProcessMetrics.residentBytes());
      const cpuNow = ProcessMetrics.cpuSeconds();
      yield* Metric.update(cpu, cpuNow - reportedCpu);
      reportedCpu = cpuNow;
      yield* Metric.update(connections, yield* count);
      yield* Metric.update(database, yield* databaseBytes);
      yield* Effect.ignore(updateServers);
      yield* Effect.ignore(updateIssues);
      yield* Effect.ignore(updateQuestions);
      return yield* PrometheusMetrics.format();
    });
    const worker = yield* Worker;
    return worker === null ? own : worker.withOthers(own);
  }),
);
