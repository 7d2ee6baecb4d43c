import { connect, createServer } from "node:net";
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest";
import * as Reports from "../src/workers/Reports.ts";
import { pauseAfter } from "../src/workers/Supervisor.ts";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";
import * as Workers from "./Workers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** No signal tells this process when a process of another one exits. */
const exited = (pids: ReadonlyArray<number>) =>
  vi.waitFor(() => assert.deepStrictEqual(pids.filter(isAlive), []), { timeout: 10_000 });

describe.skipIf(process.platform !== "linux")("workers of a program on one data directory", () => {
  const endings: Array<() => Promise<void>> = [];
  const end = (ending: () => Promise<void>) => endings.unshift(ending);
  let server: Quartermaster;

  beforeAll(async () => {
    const folder = await temporaryFolder(end);
    const env = {
      QM_WORKERS: "2",
      QM_RATE_LIMIT: "0",
      QM_CATALOG: await Workers.catalogIn(folder),
    };
    server = await Quartermaster.start(folder, env, end);
    await Workers.listening(server, 2);
  });
  afterAll(async () => {
    for (const ending of endings) await ending();
  });

  it("[workers.events] an event of one worker reaches a stream on another", async () => {
    const [one, two] = await Workers.connectAll(server, 2);
    const stream = await two!.open("GET", "/api/events?kinds=issue.created");
    const created = await one!.call("POST", "/api/projects/demo/issues", { title: "Shared" });
    assert.strictEqual(created.status, 201);
    let received = "";
    for await (const chunk of stream) {
      received += String(chunk);
      if (received.includes(created.body.id)) break;
    }
    one!.close();
    two!.close();
  });

  it("[workers.metrics] each worker reports the metrics of all, with their numbers", async () => {
    const connections = await Workers.connectAll(server, 2);
    for (const { call } of connections) {
      const { text } = await call("GET", "/metrics");
      for (const worker of [1, 2]) {
        assert.match(
          text,
          new RegExp(`^process_resident_memory_bytes\\{worker="${worker}"\\} \\d`, "m"),
        );
        assert.include(text, `quartermaster_http_requests_total{worker="${worker}",`);
      }
      assert.lengthOf(text.match(/^# TYPE process_resident_memory_bytes /gm) ?? [], 1);
    }
    for (const { close } of connections) close();
  });

  it("[workers.state] calls of a server with state reach its process from each worker", async () => {
    const connections = await Workers.connectAll(server, 2);
    await Workers.checkState(connections);
    for (const { close } of connections) close();
  });

  it("[workers.killed] a worker that is killed loses nothing acknowledged, and starts again", async () => {
    const [first] = Workers.pidsOf(server);
    await Workers.checkKill(server, first!, 1);
    const welcomes = server.lines.filter(({ ownerKeyFile }) => ownerKeyFile !== undefined);
    assert.deepStrictEqual(
      welcomes.map(({ workers }) => workers),
      [2],
    );
  });

  it("[workers.handed-over] a connection that a killed worker did not accept ends", async () => {
    const [stopped] = Workers.pidsOf(server);
    process.kill(stopped!, "SIGSTOP");
    // The parent gives one of them to the worker that has stopped.
    const requests = Array.from({ length: 6 }, () =>
      server.call("GET", "/api/agents").then(
        () => {},
        () => {},
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.kill(stopped!, "SIGKILL");
    const ended = Promise.all(requests).then(() => "ended");
    const late = new Promise((resolve) => setTimeout(resolve, 10_000, "waits").unref());
    assert.strictEqual(await Promise.race([ended, late]), "ended");
    await vi.waitFor(
      () => {
        const pids = Workers.pidsOf(server);
        assert.isTrue(pids.length === 2 && !pids.includes(stopped!));
      },
      { timeout: 20_000 },
    );
  });

  it("[workers.shutdown] SIGTERM finishes the requests of every worker, and ends all with 0", async () => {
    const pids = Workers.pidsOf(server);
    assert.lengthOf(pids, 2);
    const [one, two] = await Workers.connectAll(server, 2);
    const stream = await two!.open("GET", "/api/events");
    server.child.kill("SIGTERM");
    // It ends in order: without an error.
    for await (const _ of stream);
    one!.close();
    assert.deepStrictEqual(await server.exited, { code: 0, signal: null });
    assert.strictEqual(server.stderr, "");
    const complete = server.lines.filter(({ message }) => message === "Shutdown complete");
    assert.sameMembers(
      complete.map(({ worker }) => worker),
      [1, 2],
    );
    await exited(pids);
  });
});

describe.skipIf(process.platform !== "linux")("the parent of workers", () => {
  it("[workers.parent] no worker survives its SIGKILL", async () => {
    const server = await Quartermaster.start(await temporaryFolder(), { QM_WORKERS: "2" });
    await Workers.listening(server, 2);
    const pids = Workers.pidsOf(server);
    assert.lengthOf(pids, 2);
    server.child.kill("SIGKILL");
    await exited(pids);
  });

  it("[workers.shutdown] a second SIGTERM does not wait for the requests of workers", async () => {
    const server = await Quartermaster.start(await temporaryFolder(), { QM_WORKERS: "2" });
    await Workers.listening(server, 2);
    const pids = Workers.pidsOf(server);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname).on("error", () => {});
    socket.write(
      `POST /api/projects/demo/issues HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${server.key}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    // The request has arrived when each worker responds to a later one.
    for (const { close } of await Workers.connectAll(server, 2)) close();
    server.child.kill("SIGTERM");
    await server.line(({ message }) => message === "Shutting down: draining in-flight requests");
    server.child.kill("SIGTERM");
    assert.deepStrictEqual(await server.exited, { code: 1, signal: null });
    await exited(pids);
  });

  it("[workers.refused] exits with 1 if the first worker cannot start", async () => {
    const socket = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => socket.once("listening", resolve));
    const address = socket.address();
    const port = String(typeof address === "object" ? address?.port : 0);
    const env = { QM_WORKERS: "2", QM_PORT: port };
    const server = Quartermaster.serve(await temporaryFolder(), env);
    assert.deepStrictEqual(await server.exited, { code: 1, signal: null });
    assert.include(server.stderr, `Port ${port} of 127.0.0.1 is in use`);
    assert.include(server.stderr, "Worker 1 exited with 1 before it served requests.");
    socket.close();
  });

  it("[workers.pause] waits longer before each start of a worker that exits soon", () => {
    const pauses = [];
    for (let pause = 0, n = 0; n < 9; n++) pauses.push((pause = pauseAfter(1_000, pause)));
    assert.deepStrictEqual(
      pauses,
      [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000],
    );
    assert.strictEqual(pauseAfter(60_000, 30_000), 500);
  });
});

it("[workers.metrics] the metrics of workers have one description, and the worker as a label", () => {
  const text = (count: number) =>
    `# HELP a Counts.\n# TYPE a counter\na{route="/x"} ${count}\na 2\n# TYPE b gauge\nb 3\n`;
  assert.strictEqual(
    Reports.merge(
      new Map([
        [2, text(7)],
        [1, text(5)],
      ]),
    ),
    `# HELP a Counts.
# TYPE a counter
a{worker="1",route="/x"} 5
a{worker="1"} 2
a{worker="2",route="/x"} 7
a{worker="2"} 2
# TYPE b gauge
b{worker="1"} 3
b{worker="2"} 3
`,
  );
});
