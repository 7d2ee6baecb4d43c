#!/usr/bin/env node
// Runs on any Node.js, so that a version that is too old gets a sentence instead of a syntax error.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
  await import("../program/bin.js");
} else {
  console.error(`Quartermaster needs Node.js 22.19 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
}
