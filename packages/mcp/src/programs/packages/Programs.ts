import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { Context, Effect, Layer } from "effect";
import { Host } from "../processes/Host.ts";

/** Folders searched after PATH, because the PATH of a service often lacks the user's additions. */
const usualPlaces = (
  platform: NodeJS.Platform,
  environment: (typeof Host)["Service"]["environment"],
) => {
  if (platform === "darwin") return ["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin"];
  if (platform !== "win32") return [];
  const { ProgramFiles, LOCALAPPDATA, APPDATA } = environment;
  return [
    ...(ProgramFiles === undefined ? [] : [join(ProgramFiles, "nodejs")]),
    ...(APPDATA === undefined ? [] : [join(APPDATA, "npm")]),
    ...(LOCALAPPDATA === undefined ? [] : [join(LOCALAPPDATA, "Microsoft", "WindowsApps")]),
  ];
};

/** Finds programs on the host. */
export class Programs extends Context.Service<
  Programs,
  {
    /** The path of the first program that exists. Plain names are searched on PATH. */
    find(...names: ReadonlyArray<string>): Effect.Effect<string | null>;
  }
>()("@quartermaster/mcp/programs/packages/Programs") {
  static readonly layer = Layer.effect(
    Programs,
    Effect.gen(function* () {
      const { platform, environment } = yield* Host;
      const windows = platform === "win32";
      const path = environment["PATH"] ?? environment["Path"] ?? "";
      const folders = [
        ...path.split(delimiter).filter((folder) => folder !== ""),
        ...usualPlaces(platform, environment),
      ];
      const endings = windows ? [".exe", ".com", ".cmd", ""] : [""];

      const isProgram = (file: string) =>
        Effect.orElseSucceed(
          Effect.tryPromise(async () => {
            if (!(await stat(file)).isFile()) return false;
            await access(file, windows ? constants.F_OK : constants.X_OK);
            return true;
          }),
          () => false,
        );

      const find = Effect.fn("Programs.find")(function* (...names: ReadonlyArray<string>) {
        for (const name of names) {
          const bases = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
          if (!isAbsolute(name) && /[\\/]/.test(name)) continue;
          for (const base of bases) {
            for (const ending of endings) {
              if (yield* isProgram(base + ending)) return base + ending;
            }
          }
        }
        return null;
      });

      return Programs.of({ find });
    }),
  );
}
