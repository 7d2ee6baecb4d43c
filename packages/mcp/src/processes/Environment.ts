import type { Redacted } from "effect";
import { join } from "node:path";

/** What a program may see of the service's environment: nothing that could be a secret. */
const passed = /^(?:PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
const passedOnWindows =
  /^(?:PATH|PATHEXT|LANG|TZ|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i;

export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of such names. */
export const select = (
  variables: Variables,
  names: RegExp,
  rename: (name: string) => string = (name) => name,
): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && names.test(name)) found[rename(name)] = value;
  }
  return found;
};

/** How this host reaches others, for the tools that fetch packages: proxies, and whom it trusts. */
export const network = (variables: Variables): Record<string, string> =>
  select(
    variables,
    /^(?:https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/,
  );

/** The folders that a program has for itself. */
export const foldersOf = (folder: string) => ({ home: folder, temporary: join(folder, "tmp") });

/** The minimal environment of a program whose folder this is, with its own variables. */
export const make = (
  host: { readonly environment: Variables; readonly platform: NodeJS.Platform },
  folder: string,
  own: Readonly<Record<string, string | Redacted.Redacted<string>>> = {},
): Readonly<Record<string, string | Redacted.Redacted<string>>> & { readonly HOME: string } => {
  const windows = host.platform === "win32";
  const { home, temporary } = foldersOf(folder);
  return {
    ...select(host.environment, windows ? passedOnWindows : passed),
    ...(windows && { USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home }),
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    ...own,
    HOME: home,
  };
};
