import { Context, Effect, Layer, Redacted } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import { type CatalogEntry, isStdio } from "../CatalogEntry.ts";
import type { SecretRow } from "../InstalledServer.ts";
import { ForbiddenPath, MissingEnv, UnknownEnv } from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import { PackageStore } from "../PackageStore.ts";
import type { Changes } from "./Values.ts";

type Refused = UnknownEnv | MissingEnv | ForbiddenPath;

/** Checks, seals and stores the values of installed servers' variables. */
export class Variables extends Context.Service<
  Variables,
  {
    /**
     * Rejects changes to variables that the entry does not declare, forbidden paths, options where a
     * path is expected, and changes that leave a required variable without a value. `stored` names the variables that
     * have a stored value.
     */
    check(
      entry: CatalogEntry,
      changes: Changes,
      stored: ReadonlySet<string>,
    ): Effect.Effect<void, Refused>;
    /** Seals and stores changes in the current transaction. */
    put(serverId: string, changes: Changes): Effect.Effect<void, StorageError>;
    /** The names of a server's stored secrets. */
    names(serverId: string): Effect.Effect<ReadonlySet<string>, StorageError>;
  }
>()("@quartermaster/core/mcp/values/Variables") {
  static readonly layerNoDeps = Layer.effect(
    Variables,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const box = yield* SecretBox;
      const packages = yield* PackageStore;

      const check = Span.fn("Variables.check")(function* (
        entry: CatalogEntry,
        changes: Changes,
        stored: ReadonlySet<string>,
      ) {
        const declared = new Set(entry.envVars.map(({ name }) => name));
        const unknown = Object.keys(changes).filter((name) => !declared.has(name));
        if (unknown.length > 0) return yield* new UnknownEnv({ unknown });
        const missing = entry.envVars
          .filter((variable) => variable.required)
          .filter(({ default: fallback, name }) => {
            const value = Object.hasOwn(changes, name) ? changes[name] : undefined;
            if (value === undefined) return fallback === null && !stored.has(name);
            return value === null ? fallback === null : Redacted.value(value) === "";
          })
          .map(({ name }) => name);
        if (missing.length > 0) return yield* new MissingEnv({ missing });
        if (!isStdio(entry.manifest)) return;
        const { args } = entry.manifest;
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) continue;
          const text = Redacted.value(value);
          // As a separate argument, the value would be an option of the program.
          const isOption = text.startsWith("-") && args.includes(`\${${name}}`);
          if (isOption || (yield* packages.isForbiddenPath(text))) {
            return yield* new ForbiddenPath({ variable: name });
          }
        }
      });

      const put = Span.fn("Variables.put")(function* (serverId: string, changes: Changes) {
        const removed = Object.keys(changes).filter((name) => changes[name] === null);
        yield* store.removeSecrets(serverId, removed);
        const rows: Array<SecretRow> = [];
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) continue;
          const owner = { serverId, name };
          rows.push({ ...owner, ...(yield* box.seal(owner, value)) });
        }
        yield* store.putSecrets(rows);
      });

      const names = (serverId: string) =>
        Effect.map(store.secrets(serverId), (rows) => new Set(rows.map(({ name }) => name)));

      return Variables.of({ check, put, names });
    }),
  );
}
