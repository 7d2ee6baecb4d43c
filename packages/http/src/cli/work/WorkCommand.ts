import { Argument, Command, Flag } from "effect/cli";
import { keyFile, lazily, text, url } from "../Options.ts";

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

export const command = Command.make(
  "work",
  options,
  lazily(() => import("./Work.ts").then(({ run }) => run)),
).pipe(
  Command.withDescription(help),
  Command.withShortDescription("Run a program as an agent, once per issue"),
);
