import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "@effect/vitest";
import { environment } from "../../server/test/Quartermaster.ts";

const bin = fileURLToPath(new URL("../../server/bin/quartermaster.js", import.meta.url));

/** Runs a program on a terminal of as many columns as the first argument says, and copies its output. */
const script = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    os.write(1, data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Whether this machine has the terminals of these tests: Python 3.9 on Linux or macOS. */
export const hasTerminal =
  spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;

/** Runs `quartermaster` on a terminal until it exits. stdout and stderr are one. `onText` gets each part. */
export const run = async (
  columns: number,
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  onText: (text: string) => void = () => {},
) => {
  const command = [process.execPath, bin, ...args];
  const child = spawn("python3", ["-c", script, String(columns), ...command], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...environment(), ...env },
  });
  const exited = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdout.on("data", (bytes) => onText(String(bytes)));
  const text = (await textOf(child.stdout)).replaceAll("\r\n", "\n");
  const [code] = await exited;
  return { code, text, lines: text.trimEnd().split("\n") };
};
