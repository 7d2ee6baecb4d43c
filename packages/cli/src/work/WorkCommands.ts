import { Argument, Command, Flag } from "effect/cli";
import { example, keyFile, lazily, text, url } from "../Options.ts";
import * as Hosts from "./hosts/Hosts.ts";
import * as StepsCommands from "./StepsCommands.ts";

const help = [
  "Turn any program into an agent: send heartbeats, and run COMMAND once for each issue.",
  "",
  "COMMAND gets the issue as Markdown on stdin, and instead of each argument that is exactly {prompt}.",
  "Its environment has QM_URL, QM_KEY (an agent's key), QM_AGENT_ID, QM_ISSUE_ID, QM_RUN_ID,",
  "QM_ISSUE_FILE (JSON) and QM_MCP_CONFIG (a client configuration for /mcp).",
  "",
  "  exit 0   handed in as --on-success says; the comment has the end of stdout",
  "  exit 75  released; the issue starts again after at least a minute",
  "  other    failed; the comment has the end of stderr, and the service tries the issue again until it\n           had as many attempts as QM_MAX_ATTEMPTS allows",
  "",
  "When a run has to stop, for example because a person paused the issue, COMMAND and its children get",
  "SIGTERM, and SIGKILL after 10 s. On SIGTERM or SIGINT the runner stops all commands and releases",
  "their issues.",
  "",
  "With an agent's key, omit --agent. With an Admin's key, --agent is required, and COMMAND gets a key of",
  "that agent. Prefer an agent's key: COMMAND runs as your user and can read your files.",
  "",
  "With --with, claude, codex, gemini or opencode runs instead of COMMAND: its messages and tool calls are in the log of the\nrun, its final text is the comment, and the next attempt continues its session.",
  "",
  "Scripts that hold a run themselves use `work next`, `work turn` and `work finish`.",
].join("\n");

const options = {
  url,
  keyFile,
  agent: text("agent", "The agent that the runner works for; required with an Admin's key"),
  project: Flag.String("project").pipe(
    Flag.withDescription("Only issues of this project; repeatable"),
    Flag.atLeast(0),
  ),
  concurrency: Flag.Int("concurrency").pipe(
    Flag.withDescription("The most issues at the same time, 1 to 50. Default: 1"),
    Flag.withDefault(1),
  ),
  lease: Flag.String("lease").pipe(
    Flag.withDescription("How long an issue stays held if this machine dies. Default: 5m"),
    Flag.withDefault("5m"),
  ),
  timeout: Flag.String("timeout").pipe(
    Flag.withDescription("Stop COMMAND after this time, as a failure. Default: 2h"),
    Flag.withDefault("2h"),
  ),
  onSuccess: Flag.Literals("on-success", ["review", "resolved"]).pipe(
    Flag.withDescription("How to hand an issue in after exit code 0. Default: review"),
    Flag.withDefault("review"),
  ),
  output: Flag.Literals("output", ["text", "markdown"]).pipe(
    Flag.withDescription(
      "The format of COMMAND's stdout; text becomes a code block. Default: text",
    ),
    Flag.withDefault("text"),
  ),
  directory: text("directory", "The directory in which COMMAND runs"),
  worktree: Flag.String("worktree").pipe(
    Flag.withDescription(
      "Work on each issue in a git worktree of its own, on the branch qm/ISSUE. Default folder: beside the repository",
    ),
    Flag.withOptionalValue(""),
    Flag.optional,
  ),
  worktrees: Flag.Boolean("worktrees").pipe(
    Flag.withDescription("List the worktrees that stay, and the reason; starts nothing"),
    Flag.withDefault(false),
  ),
  quiet: Flag.Boolean("quiet").pipe(
    Flag.withDescription("Do not show COMMAND's output; the logs of its runs contain it"),
    Flag.withDefault(false),
  ),
  breaker: Flag.String("breaker").pipe(
    Flag.withDescription(
      "Failures in a row, each within 60s of its start, after which the runner waits; or off. Default: 3",
    ),
    Flag.withDefault("3"),
  ),
  once: Flag.Boolean("once").pipe(
    Flag.withDescription(
      "Work on the issues that one heartbeat starts, and exit: with 1 if one failed",
    ),
    Flag.withDefault(false),
  ),
  with: Flag.Literals("with", Hosts.names).pipe(
    Flag.withDescription(
      "Run this host instead of COMMAND, which has the host's own arguments; it gets no permission by this",
    ),
    Flag.optional,
  ),
  command: Argument.String("command").pipe(
    Argument.withDescription("The program and its arguments, after --"),
    Argument.variadic(),
  ),
};

export const command = Command.make(
  "work",
  options,
  lazily(() => import("./Work.ts").then(({ run }) => run)),
).pipe(
  Command.withDescription(help),
  Command.withShortDescription("Run a program as an agent, once per issue"),
  example("work --agent agent-1 -- claude -p {prompt}", "Work on the issues of an agent"),
  Command.withSubcommands(StepsCommands.commands),
);
