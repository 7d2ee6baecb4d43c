import { Schema } from "effect";
import { withDefault } from "../internal/Defaults.ts";

/**
 * An absolute path. A path that starts with a variable is checked when the variable has its value.
 */
const DeclaredPath = Schema.String.check(
  Schema.isPattern(/^(?:[/\\]|[A-Za-z]:[/\\]|\$\{)[^\r\n\0*]{0,4095}$/, {
    expected: "an absolute path, or one that starts with a variable",
  }),
);

/** The files and permissions of a program, in addition to its package and its own folder. */
export const Sandbox = Schema.Struct({
  network: withDefault(
    Schema.Boolean.annotateKey({ description: "Whether the program may use the network." }),
    true,
  ),
  read: withDefault(
    Schema.Array(DeclaredPath).annotateKey({
      description:
        "Files and folders that the program may read. `${NAME}` is replaced by the value of that variable; a path whose variable has no value is left out.",
    }),
    [],
  ),
  write: withDefault(
    Schema.Array(DeclaredPath).annotateKey({
      description: "Files and folders that the program may read and write, in the same form.",
    }),
    [],
  ),
  workers: withDefault(
    Schema.Boolean.annotateKey({
      description: "Whether a JavaScript program may start worker threads.",
    }),
    false,
  ),
  childProcesses: withDefault(
    Schema.Boolean.annotateKey({ description: "Whether the program may start other programs." }),
    false,
  ),
}).annotate({
  identifier: "Sandbox",
  description:
    "The files and permissions of a program, in addition to its package and its own folder.",
});
export interface Sandbox extends Schema.Schema.Type<typeof Sandbox> {}

/** The permissions of a program whose entry declares none. */
export const defaults: Sandbox = {
  network: true,
  read: [],
  write: [],
  workers: false,
  childProcesses: false,
};

/** The facts that decide in which sandbox a program runs. */
export interface Need {
  readonly runtime: "node" | "python" | "pipx" | "none";
  /** True for a program of the host, false for a package. */
  readonly isLocal: boolean;
  /** Whether an Owner created its entry with the API. */
  readonly isOwn: boolean;
  readonly command: string;
  /** The declaration of its entry; null if there is none. */
  readonly sandbox: Sandbox | null;
}

/** The need of an entry's program. */
export const needOf = (
  { runtime, source }: { readonly runtime: Need["runtime"]; readonly source: string },
  manifest: {
    readonly package: string | null;
    readonly command: string;
    readonly sandbox?: Sandbox | null;
  },
): Need => ({
  runtime,
  isLocal: manifest.package === null,
  isOwn: source === "own",
  command: manifest.command,
  // A stored entry may be older than this field.
  sandbox: manifest.sandbox ?? null,
});
