import type { Redacted } from "effect";
import { join } from "node:path";

/** What a program may see of the service's environment: nothing that could be a secret. */
const passed = /^(?:PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
const passedOnWindows =
  /^(?:PATH|PATHEXT|LANG|TZ|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i;

type Variables = Readonly<Record<string, string | undefined>>;

/** The folders that a program has for itself. */
export const foldersOf = (folder: string) => ({ home: folder, temporary: join(folder, "tmp") });

/** The minimal environment of a program whose folder this is, with its own variables. */
export const make = (
  host: { readonly environment: Variables; readonly platform: NodeJS.Platform },
  folder: string,
  own: Readonly<Record<string, string | Redacted.Redacted<string>>> = {},
): Readonly<Record<string, string | Redacted.Redacted<string>>> & { readonly HOME: string } => {
  const windows = host.platform === "win32";
  const kept = Object.entries(host.environment).flatMap(([name, value]) =>
    value !== undefined && (windows ? passedOnWindows : passed).test(name) ? [[name, value]] : [],
  );
  const { home, temporary } = foldersOf(folder);
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...(windows && { USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home }),
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    ...own,
    HOME: home,
  };
};
