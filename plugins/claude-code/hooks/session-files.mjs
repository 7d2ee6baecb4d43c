// The files of a session, which hook.sh describes, and the process that polls for it.
import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { QM_RUN_ID = "", XDG_CACHE_HOME = "" } = process.env;

/** Longer than any lease. */
const forgottenAfterMillis = 2 * 86_400_000;

/** A poll that says nothing for so long is gone: a request takes up to 4 s, and it makes three at most. */
const silentMillis = 15_000;

export const now = () => Math.floor(Date.now() / 1_000);

const textOf = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Of a process: its parent, name, state and start; null if there is none. */
const processOf = (pid) => {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat !== "") {
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    return { parent: Number(fields[1]), name, state: fields[0], start: fields[19] };
  }
  if (textOf("/proc/self/stat") !== "") return null;
  try {
    const args = ["-o", "ppid=,state=,lstart=,comm=", "-p", String(pid)];
    const line = execFileSync("ps", args, { encoding: "utf8" }).trim();
    const [, parent, state, start, name] = /^(\d+)\s+(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/.exec(line);
    return { parent: Number(parent), name: basename(name), state, start };
  } catch {
    return null;
  }
};

/** The process that ran a hook, beyond the shells that its host started for the hook. */
export const hostOf = (pid) => {
  const found = processOf(pid);
  return found !== null && /^-?(?:sh|ash|bash|dash|zsh|fish)$/.test(found.name)
    ? hostOf(found.parent)
    : pid;
};

/** Whether this process lives; a zombie does not. The start tells a later process with the same id. */
export const livesSince = (pid) => {
  const start = processOf(pid)?.start;
  return () => {
    const found = processOf(pid);
    return found !== null && found.start === start && !found.state.startsWith("Z");
  };
};

export const open = (id) => {
  if (!/^[\w-]+$/.test(id)) throw new Error("Not the id of a session");
  const folder = join(XDG_CACHE_HOME || join(homedir(), ".cache"), "quartermaster", "hooks");
  const file = join(folder, id);

  const write = (path, text) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const partial = `${path}.${process.pid}.new`;
    writeFileSync(partial, text, { mode: 0o600 });
    renameSync(partial, path);
  };
  const remove = (...kinds) => kinds.forEach((kind) => rmSync(`${file}.${kind}`, { force: true }));

  /** The session's run; `earlier` is the run of an earlier process of the session. */
  const read = () => {
    const text = textOf(file).trim();
    if (text === "") return { renewed: 0, runId: QM_RUN_ID || null, earlier: null };
    const [renewed, runId, earlier = null] = text.split(" ");
    return { renewed: Number(renewed), runId: runId === "-" ? null : runId, earlier };
  };

  return {
    read,
    /** Stores the session's run, null if it holds none. */
    hold: (runId, { earlier, renewed = now() } = {}) => {
      write(file, `${renewed} ${runId ?? "-"}${earlier ? ` ${earlier}` : ""}\n`);
      if (runId === null) remove("state", "stopped");
    },
    /** Stores until when the run may call tools, or with a sentence that it has to stop. */
    judge: (runId, until, sentence) => {
      const verdict =
        sentence === undefined ? "go" : `stop ${JSON.stringify(sentence).slice(1, -1)}`;
      const line = `${until} ${runId} ${verdict}\n`;
      if (textOf(`${file}.state`) !== line) write(`${file}.state`, line);
    },
    has: (kind) => statSync(`${file}.${kind}`, { throwIfNoEntry: false }) !== undefined,
    /** The seconds since this was written; many if it never was. */
    age: (kind) =>
      now() - (statSync(`${file}.${kind}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1_000,
    mark: (kind) => write(`${file}.${kind}`, ""),
    remove,
    /** Whether this process still polls; says so to `poll`. */
    isPolling: () => {
      if (Number(textOf(`${file}.poll`)) !== process.pid) return false;
      utimesSync(`${file}.poll`, new Date(), new Date());
      return true;
    },
    /** Starts the poll of the session unless it runs. It ends with the process that runs the hooks. */
    poll: () => {
      const polled = statSync(`${file}.poll`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Date.now() - polled < silentMillis) return;
      const host = hostOf(Number(process.env.QM_HOST_PID));
      const program = join(dirname(fileURLToPath(import.meta.url)), "poll.mjs");
      const options = { cwd: "/", detached: true, stdio: "ignore" };
      const child = spawn(process.execPath, [program, id, String(host)], options);
      child.unref();
      // Not by the child itself: the session may end before the child runs, and then it must not poll.
      if (child.pid !== undefined) write(`${file}.poll`, `${child.pid}\n`);
    },
    /** Removes the files of sessions that cannot hold a run any more. */
    forget: () => {
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
        if (mtimeMs < Date.now() - forgottenAfterMillis) rmSync(path, { force: true });
      }
    },
  };
};
