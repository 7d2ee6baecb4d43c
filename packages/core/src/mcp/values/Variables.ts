import { Context, Effect, Layer, Redacted } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import * as Span from "../../internal/Span.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import { type CatalogEntry, isStdio } from "../CatalogEntry.ts";
import type { SecretRow } from "../InstalledServer.ts";
import { ForbiddenPath, MissingEnv, UnknownEnv } from "../McpErrors.ts";
import { McpServerStore } from "../McpServerStore.ts";
import { PackageStore } from "../PackageStore.ts";

/** Values as a caller gave them: null removes one. */
export type Given = Readonly<Record<string, string | null>>;

type Refused = UnknownEnv | MissingEnv | ForbiddenPath;

/** The variables of installed servers: checked, sealed, kept. */
export class Variables extends Context.Service<
  Variables,
  {
    /**
     * Refuses values that the entry does not declare, that lead into the data directory, or that
     * leave a required variable without one. `set` names those that have a value already.
     */
    check(
      entry: CatalogEntry,
      given: Given,
      set: ReadonlySet<string>,
    ): Effect.Effect<void, Refused>;
    /** Seals values and keeps them in the transaction around it; null removes one. */
    keep(serverId: string, given: Given): Effect.Effect<void, StorageError>;
    /** The names of those that have a value. */
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
        given: Given,
        set: ReadonlySet<string>,
      ) {
        const declared = new Set(entry.envVars.map(({ name }) => name));
        const unknown = Object.keys(given).filter((name) => !declared.has(name));
        if (unknown.length > 0) return yield* new UnknownEnv({ unknown });
        const missing = entry.envVars
          .filter((variable) => variable.required)
          .filter(({ default: fallback, name }) => {
            const value = Object.hasOwn(given, name) ? given[name] : undefined;
            if (value === undefined) return fallback === null && !set.has(name);
            return value === "" || (value === null && fallback === null);
          })
          .map(({ name }) => name);
        if (missing.length > 0) return yield* new MissingEnv({ missing });
        if (!isStdio(entry.manifest)) return;
        for (const [name, value] of Object.entries(given)) {
          if (value !== null && (yield* packages.isForbiddenPath(value))) {
            return yield* new ForbiddenPath({ variable: name });
          }
        }
      });

      const keep = Span.fn("Variables.keep")(function* (serverId: string, given: Given) {
        const removed = Object.keys(given).filter((name) => given[name] === null);
        yield* store.removeSecrets(serverId, removed);
        const rows: Array<SecretRow> = [];
        for (const [name, value] of Object.entries(given)) {
          if (value === null) continue;
          const owner = { serverId, name };
          rows.push({ ...owner, ...(yield* box.seal(owner, Redacted.make(value))) });
        }
        yield* store.putSecrets(rows);
      });

      const names = (serverId: string) =>
        Effect.map(store.secrets(serverId), (rows) => new Set(rows.map(({ name }) => name)));

      return Variables.of({ check, keep, names });
    }),
  );
}
