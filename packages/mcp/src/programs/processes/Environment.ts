import { join } from "node:path";
import type { Redacted } from "effect";

/** Variables of the service that a program inherits. None of them can be a secret. */
const passed = /^(?:PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
const passedOnWindows =
  /^(?:PATH|PATHEXT|LANG|TZ|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i;

export type Variables = Readonly<Record<string, string | undefined>>;

/** Selects variables by name. */
export const select = (
  variables: Variables,
  names: RegExp,
  rename: (name: string) => string = (name) => name,
): Record<string, string> => {
  const selected: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && names.test(name)) selected[rename(name)] = value;
  }
  return selected;
};

/** The proxy and certificate authority variables of this host, for tools that download packages. */
export const network = (variables: Variables): Record<string, string> =>
  select(
    variables,
    /^(?:https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/,
  );

/** The home and temporary folders of a program. */
export const foldersOf = (folder: string) => ({ home: folder, temporary: join(folder, "tmp") });

/** The minimal environment of a program with this folder, plus its own variables. */
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
