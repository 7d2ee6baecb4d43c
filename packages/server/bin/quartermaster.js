#!/usr/bin/env node
import { existsSync, mkdirSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";

/**
 * Node stores compiled code here: the second start takes 40 ms less of processor time. Without a directory that can be
 * written there is no cache. The system's temporary directory would be shared with other users, who could replace the code.
 */
const cacheDirectory = ({ HOME, LOCALAPPDATA, XDG_CACHE_HOME }) => {
  const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, ".cache"));
  if (!caches) return undefined;
  const directory = join(caches, "quartermaster", "compiled");
  try {
    // Not `recursive`: Node 22 never returns from that where the file system takes no entries, as in /proc.
    for (const folder of [caches, dirname(directory), directory]) {
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    }
  } catch {
    return undefined;
  }
  return directory;
};

/**
 * glibc gives each thread of V8 and of Node an arena of its own, and keeps what is freed there: 12 MiB at rest, 25 after
 * a load. It reads its limit before the program starts, so the server replaces itself with the limit, within
 * 30 ms. The process stays the same. A process that was forked has a channel to its parent, which would be lost.
 */
const limitArenas = ({ MALLOC_ARENA_MAX, NODE_CHANNEL_FD }) => {
  if (process.platform !== "linux" || process.argv[2] !== "serve") return;
  if (MALLOC_ARENA_MAX !== undefined || NODE_CHANNEL_FD !== undefined) return;
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, MALLOC_ARENA_MAX: "1" });
};

// Without a listener Node.js starts its debugger at this signal, which programs of MCP servers may send.
process.on("SIGUSR1", () => {});

// Runs on any Node.js, so that a version that is too old gets a sentence instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
  limitArenas(process.env);
  const directory = cacheDirectory(process.env);
  if (directory) module.enableCompileCache?.(directory);
  await import("../program/bin.js");
} else {
  console.error(`Quartermaster needs Node.js 22.19 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
}
