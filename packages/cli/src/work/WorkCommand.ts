import { Argument, Command, Flag } from "effect/cli";
import { connection, example, keyFile, lazily, text, url } from "../Options.ts";

const help = [
  "Turn any program into an agent: send heartbeats, and run COMMAND once per issue.",
  "",
  "COMMAND gets the issue as Markdown on stdin, and in place of an argument that is exactly {prompt}.",
  "Its environment has QM_URL, QM_KEY (an agent's key), QM_AGENT_ID, QM_ISSUE_ID, QM_RUN_ID,",
  "QM_ISSUE_FILE (JSON) and QM_MCP_CONFIG (a client configuration for /mcp).",
  "",
  "  exit 0   handed in as --on-success says, with the end of stdout as the comment",
  "  exit 75  given back, and started again after a minute at the earliest",
  "  else     failed, with the end of stderr; the service tries it again",
  "",
  "Told to stop, by a person's pause for example, it sends SIGTERM to COMMAND and its children, and",
  "SIGKILL after 10 s. On SIGTERM or SIGINT it does the same and gives its issues back.",
  "",
  "With an Admin's key, --agent names the agent. With an agent's key it may be omitted.",
  "",
  "`work next`, `work turn` and `work finish` are for scripts that hold a run themselves.",
].join("\n");

const options = {
  url,
  keyFile,
  agent: text("agent", "The agent whose issues are executed; needed with an Admin's key"),
  project: Flag.String("project").pipe(
    Flag.withDescription("Only issues of this project; repeatable"),
    Flag.atLeast(0),
  ),
  concurrency: Flag.Int("concurrency").pipe(
    Flag.withDescription("Issues at the same time, 1 to 50 (1)"),
    Flag.withDefault(1),
  ),
  lease: Flag.String("lease").pipe(
    Flag.withDescription("How long an issue stays held if this machine dies (5m)"),
    Flag.withDefault("5m"),
  ),
  timeout: Flag.String("timeout").pipe(
    Flag.withDescription("After this time COMMAND is stopped and has failed (2h)"),
    Flag.withDefault("2h"),
  ),
  onSuccess: Flag.Literals("on-success", ["review", "resolved"]).pipe(
    Flag.withDescription("How an issue is handed in after exit code 0 (review)"),
    Flag.withDefault("review"),
  ),
  output: Flag.Literals("output", ["text", "markdown"]).pipe(
    Flag.withDescription("What stdout of COMMAND is: text becomes a code block (text)"),
    Flag.withDefault("text"),
  ),
  directory: text("directory", "The folder in which COMMAND runs"),
  once: Flag.Boolean("once").pipe(
    Flag.withDescription("Send one heartbeat for new issues, execute what it starts, and exit"),
    Flag.withDefault(false),
  ),
  command: Argument.String("command").pipe(
    Argument.withDescription("The program and its arguments, after --"),
    Argument.variadic({ min: 1 }),
  ),
};

const steps = () => import("./Steps.ts");

const agent = text("agent", "The agent; else QM_AGENT_ID, else the agent of the key");

const run = text("run", "The id of the run, run_...; else QM_RUN_ID");

const next = Command.make(
  "next",
  {
    ...connection,
    agent: text("agent", "The agent that picks the issue up; needed with an Admin's key"),
    project: text("project", "Only an issue of this project"),
    lease: Flag.String("lease").pipe(
      Flag.withDescription("How long the issue stays held without a turn, 1m to 24h (15m)"),
      Flag.withDefault("15m"),
    ),
    wait: Flag.String("wait").pipe(
      Flag.withDescription("How long to wait for an issue, up to 55s (0s)"),
      Flag.withDefault("0s"),
    ),
  },
  lazily(() => steps().then(({ next }) => next)),
).pipe(
  Command.withDescription(
    "Pick an issue up, and print its run. For scripts that hold a run themselves: call `work turn` at least once per lease, and `work finish` at the end. Without an issue the exit code is 3, and stderr has the reason.",
  ),
  Command.withShortDescription("Pick an issue up, and print its run"),
  example("work next --wait 55s --json", "Wait for an issue, and print it with its comments"),
);

const turn = Command.make(
  "turn",
  { ...connection, agent, run },
  lazily(() => steps().then(({ turn }) => turn)),
).pipe(
  Command.withDescription(
    "Renew the lease of a run. Prints `continue`, or `stop` with the reason, and then the comments since the last turn. After `stop`, leave the issue as it is.",
  ),
  Command.withShortDescription("Renew a run, and print whether to continue"),
  example("work turn --run run_01JD8Q7ZC6W3J0Z1T9Y4M2K5XA", "Ask whether to continue"),
);

const finish = Command.make(
  "finish",
  {
    ...connection,
    agent,
    run,
    outcome: Flag.Literals("outcome", ["resolved", "review", "released", "failed"]).pipe(
      Flag.withDescription("How the issue is handed in"),
    ),
    comment: text("comment", "A comment on the issue; - reads it from stdin"),
    retry: Flag.Boolean("retry").pipe(
      Flag.withDescription("With failed: try the issue again later, instead of pausing it"),
      Flag.withDefault(false),
    ),
    retryAfter: text("retry-after", "With released: not before this time has passed, such as 10m"),
  },
  lazily(() => steps().then(({ finish }) => finish)),
).pipe(
  Command.withDescription("Hand the issue of a run in."),
  example(
    'work finish --outcome review --comment "The roof is tight."',
    "Hand in for review, by QM_RUN_ID",
  ),
);

export const command = Command.make(
  "work",
  options,
  lazily(() => import("./Work.ts").then(({ run }) => run)),
).pipe(
  Command.withDescription(help),
  Command.withShortDescription("Run a program as an agent, once per issue"),
  example("work --agent agent-1 -- claude -p {prompt}", "Execute the issues of an agent"),
  Command.withSubcommands([next, turn, finish]),
);
