import { Context, Effect, Layer, type Redacted } from "effect";
import type { StorageError } from "../../CommonErrors.ts";
import { SecretBox } from "../../secrets/SecretBox.ts";
import { McpServerStore } from "../McpServerStore.ts";

/** Agents whose opened values stay in memory. */
const maxAgents = 100;

type Value = Redacted.Redacted<string>;

/** The sealed values that agents were given: the values of the servers that they are granted. */
export class GivenSecrets extends Context.Service<
  GivenSecrets,
  {
    /**
     * Returns the agent's values. Omits a value that cannot be opened, because no server has it
     * either.
     */
    valuesOf(agentId: string): Effect.Effect<ReadonlyArray<Value>, StorageError>;
  }
>()("@quartermaster/core/mcp/values/GivenSecrets") {
  static readonly layerNoDeps = Layer.effect(
    GivenSecrets,
    Effect.gen(function* () {
      const store = yield* McpServerStore;
      const box = yield* SecretBox;
      /** The values of agents by their sealed form, so that a changed value is opened again. */
      const opened = new Map<string, ReadonlyMap<string, Value>>();

      const valuesOf = Effect.fnUntraced(function* (agentId: string) {
        const known = opened.get(agentId);
        const values = new Map<string, Value>();
        for (const { server } of yield* store.grants(agentId)) {
          for (const row of yield* store.secrets(server.id)) {
            const sealed = `${row.keyId}.${row.nonce}.${row.sealed}`;
            const value =
              known?.get(sealed) ?? (yield* Effect.orElseSucceed(box.open(row, row), () => null));
            if (value !== null) values.set(sealed, value);
          }
        }
        opened.delete(agentId);
        if (values.size > 0) opened.set(agentId, values);
        if (opened.size > maxAgents) opened.delete(opened.keys().next().value ?? agentId);
        return [...values.values()];
      });

      return GivenSecrets.of({ valuesOf });
    }),
  );
}
