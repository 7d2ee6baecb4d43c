import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/**
 * The time of a command that sends the server one request, compared with a Node process that does
 * nothing.
 */

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const rounds = quick ? 7 : 25;
  const server = await Processes.quartermaster(Processes.path("agents-cli"));
  const [agent] = await Scene.agents(server, "asking", 1);
  if (agent === undefined) throw new Error("no agent");
  const env = {
    QM_URL: `http://127.0.0.1:${server.port}`,
    QM_KEY: agent.key,
    // Each user's cache folder holds the program's compiled code, so this benchmark also has one.
    XDG_CACHE_HOME: Processes.path("agents-cli-cache"),
  };
  const outcomes: Array<{ readonly ours: number; readonly node: number }> = [];
  // The first rounds fill file caches.
  for (let round = -1; round <= rounds; round++) {
    Report.progress(`whoami: round ${round} of ${rounds}`);
    const node = await Processes.timed(["-e", "0"], {});
    const outcome = { ours: await Processes.timed([Processes.bin, "whoami"], env), node };
    if (round > 0) outcomes.push(outcome);
  }
  await server.end();
  for (const name of ["agents-cli", "agents-cli-cache"]) Processes.remove(name);
  const median = (of: (outcome: (typeof outcomes)[number]) => number) =>
    Report.median(outcomes.map(of));
  const value = median(({ ours }) => ours);
  const node = median(({ node }) => node);
  return [
    {
      cells: ["quartermaster whoami, from start to exit", Report.ms(value)],
      value,
      target: { limit: 250, is: "below" },
    },
    {
      cells: [
        "quartermaster whoami in `node -e 0`",
        `${Report.ratio(median(({ node, ours }) => ours / node))}, ${Report.ms(node)}`,
      ],
    },
  ];
};
