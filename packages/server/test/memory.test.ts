import { readdirSync, readFileSync } from "node:fs";
import { assert, it } from "@effect/vitest";
import { Quartermaster, temporaryFolder } from "./Quartermaster.ts";

/** Prints V8's spaces at SIGUSR2. */
const preload = `
  import { getHeapSpaceStatistics } from "node:v8";
  process.on("SIGUSR2", () => console.log(JSON.stringify({ spaces: getHeapSpaceStatistics() })));
`;

interface Space {
  readonly space_name: string;
  readonly space_size: number;
}

const mebibyte = 1024 * 1024;

it.skipIf(process.platform !== "linux")(
  "[server.memory] a load leaves less than 64 MiB in V8's young generation, and 200 MiB in all",
  async () => {
    const server = await Quartermaster.start(await temporaryFolder(), {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}`,
      QM_RATE_LIMIT: "0",
    });
    const issues = Array.from({ length: 50 }, (_, index) => ({
      ref: `issue-${index}`,
      title: "Fails after an update",
      description: "Steps to repeat it. ".repeat(50),
    }));
    const { status } = await server.call("POST", "/api/projects/demo/plan", { body: { issues } });
    assert.strictEqual(status, 201);
    const until = performance.now() + 6_000;
    const reader = async () => {
      while (performance.now() < until) {
        await server.call("GET", "/api/projects/demo/issues?limit=50");
      }
    };
    await Promise.all(Array.from({ length: 16 }, reader));

    server.child.kill("SIGUSR2");
    const line = await server.line(({ spaces }) => spaces !== undefined);
    const spaces = line["spaces"] as ReadonlyArray<Space>;
    const young = spaces.find(({ space_name }) => space_name === "new_space");
    const [, resident] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8")) ?? [];
    // It grows to 128 MiB without a limit, and may double before the limit is checked.
    assert.isBelow((young?.space_size ?? Number.NaN) / mebibyte, 64, "MiB in new_space");
    assert.isBelow(Number(resident) / 1024, 200, "MiB resident");
  },
);

it.skipIf(process.platform !== "linux")(
  "[server.arenas] the server limits glibc's arenas, unless its environment does",
  async () => {
    const arenas = async (env: Record<string, string>) => {
      const { child } = await Quartermaster.start(await temporaryFolder(), env);
      const environment = readFileSync(`/proc/${child.pid}/environ`, "utf8");
      return environment.split("\0").filter((variable) => variable.startsWith("MALLOC_"));
    };
    assert.deepStrictEqual(await arenas({}), ["MALLOC_ARENA_MAX=1"]);
    assert.deepStrictEqual(await arenas({ MALLOC_ARENA_MAX: "3" }), ["MALLOC_ARENA_MAX=3"]);
  },
);

/** Prints the bytes that were allocated between two SIGUSR2 and that no collection of the young generation freed. */
const sampling = `
  import { Session } from "node:inspector";
  const session = new Session();
  session.connect();
  let isOn = false;
  const sum = ({ children, selfSize }) => children.reduce((all, child) => all + sum(child), selfSize);
  process.on("SIGUSR2", () => {
    const options = { samplingInterval: 4096, includeObjectsCollectedByMajorGC: true };
    if (isOn) {
      session.post("HeapProfiler.stopSampling", (_, { profile }) =>
        console.log(JSON.stringify({ sampling: "ended", bytes: sum(profile.head) })));
    } else {
      session.post("HeapProfiler.startSampling", options, () =>
        console.log(JSON.stringify({ sampling: "started" })));
    }
    isOn = !isOn;
  });
`;

it("[server.garbage] the objects of a request do not outlive it", async () => {
  const server = await Quartermaster.start(await temporaryFolder(), {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(sampling)}`,
    QM_RATE_LIMIT: "0",
  });
  const created = await server.call("POST", "/api/projects/demo/issues", { body: { title: "A" } });
  const path = `/api/projects/issues/${created.body.id}`;
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await server.call("GET", path);
  };
  const signalled = (state: string) => {
    server.child.kill("SIGUSR2");
    return server.line(({ sampling }) => sampling === state);
  };
  await send(1_000);
  await signalled("started");
  await send(2_000);
  const { bytes } = await signalled("ended");
  // About 700. It was 6,600 while each request had an object with getters of its own.
  assert.isBelow(Number(bytes) / 2_000, 2_500, "bytes");
});

it("[server.source] the program's text has no characters for which V8 needs twice the memory", () => {
  const folder = new URL("../program/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const wide = files.filter((name) =>
    /[\u0100-\uffff]/.test(readFileSync(new URL(name, folder), "utf8")),
  );
  assert.deepStrictEqual([wide, files.includes("bin.js")], [[], true]);
});
