import { spawn } from "node:child_process";
import { Effect } from "effect";
import { variable } from "../Environment.ts";
import * as NodeProcess from "./NodeProcess.ts";

/** The program that opens a URL, by platform. `BROWSER` names another one. */
const programs: Readonly<Record<string, readonly [string, ...ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a URL or a file in the user's browser. Returns whether a program for that started. */
export const open = Effect.fnUntraced(function* (target: string) {
  const named = yield* variable("BROWSER");
  const [program, ...args] =
    named === null ? (programs[NodeProcess.platform] ?? ["xdg-open"]) : [named];
  return yield* Effect.callback<boolean>((resume) => {
    const child = spawn(program, [...args, target], { stdio: "ignore", detached: true });
    child.on("error", () => resume(Effect.succeed(false)));
    child.on("spawn", () => {
      child.unref();
      resume(Effect.succeed(true));
    });
  });
});
