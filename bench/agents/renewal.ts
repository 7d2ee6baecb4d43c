import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/**
 * The cost of a lease renewal: the same call by a worker with a live run and by a worker without
 * one.
 */

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const rounds = quick ? 5 : 15;
  const duration = quick ? 500 : 2_000;
  const server = await Processes.quartermaster(Processes.path("agents-renewal"));
  const load = Processes.load();
  const [working, idle] = await Scene.agents(server, "calling", 2);
  if (working === undefined || idle === undefined) throw new Error("no agents");
  const issueId = await Scene.issue(server, working);
  const next = await Scene.answerOf<{ readonly run: unknown }>(
    server,
    Scene.call(working, "work_next"),
  );
  if (next.run === null) throw new Error("the worker has no run");
  const p50 = async (agent: Scene.Agent) => {
    const requests = [Scene.call(agent, "comments_list", { issueId })];
    const job = { port: server.port, key: agent.key, requests, connections: 1, warmUp: 200 };
    return (await load.run({ ...job, duration })).p50;
  };
  const outcomes: Array<{ readonly with: number; readonly without: number }> = [];
  // The first two rounds warm up.
  for (let round = -1; round <= rounds; round++) {
    Report.progress(`renewal by calls: round ${round} of ${rounds}`);
    const without = await p50(idle);
    const outcome = { with: await p50(working), without };
    if (round > 0) outcomes.push(outcome);
  }
  await Promise.all([load.end(), server.end()]);
  Processes.remove("agents-renewal");
  const value = Report.median(outcomes.map((outcome) => outcome.with - outcome.without));
  const of = (which: "with" | "without") =>
    Report.ms(Report.median(outcomes.map((outcome) => outcome[which])));
  return [
    {
      cells: [
        "added p50 of a call that renews a run",
        `${of("with")} - ${of("without")} = ${Report.ms(value)}`,
      ],
      value,
      target: { limit: 0.1, is: "below" },
    },
  ];
};
