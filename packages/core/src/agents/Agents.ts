import { Context, Effect, Layer, Option } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import type { Actor } from "../Actor.ts";
import type { InvalidRequest, StorageError } from "../CommonErrors.ts";
import { NotFound } from "../CommonErrors.ts";
import { Directory } from "../Directory.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Id from "../Id.ts";
import * as Input from "../internal/Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { type Agent, AgentUpdate } from "./Agent.ts";
import { AgentStore } from "./AgentStore.ts";
import { isLive } from "./Run.ts";
import { RunStore } from "./RunStore.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;

/** The agents of the host. */
export class Agents extends Context.Service<
  Agents,
  {
    /** Returns a page of the registered agents, newest first by default. */
    list(
      request?: Page.PageRequest,
    ): Effect.Effect<Page.Page<Agent>, InvalidRequest | StorageError, CurrentPrincipal>;
    /**
     * Registers an agent, or renames it. Needs the role Admin and a principal without projects;
     * `NotFound` for an agent that the host's directory does not know.
     */
    put(
      agentId: string,
      input?: typeof AgentUpdate.Encoded,
    ): Effect.Effect<Agent, Forbidden | NotFound | InvalidRequest | StorageError, CurrentPrincipal>;
    /** In the transaction around it: registers the agent unless it is registered. */
    ensure(agentId: string): Effect.Effect<void, StorageError, CurrentPrincipal>;
    /** Fails with `NotFound` if the agent is not registered. */
    exists(agentId: string): Effect.Effect<void, NotFound | StorageError>;
    /** Returns the id if it is valid and the host's directory knows the agent. */
    admit(agentId: string): Effect.Effect<string, InvalidRequest | NotFound | StorageError>;
  }
>()("@quartermaster/core/agents/Agents") {
  static readonly layerNoDeps = Layer.effect(
    Agents,
    Effect.gen(function* () {
      const store = yield* AgentStore;
      const runs = yield* RunStore;
      const events = yield* EventLog;
      const directory = yield* Directory;
      const { transact } = yield* Transactor;
      const decodeId = Input.decoder(Id.HostId, "agentId");
      const decodeUpdate = Input.decoder(AgentUpdate);

      const register = Effect.fnUntraced(function* (agentId: string, actor: Actor) {
        const now = yield* Timestamp.now;
        if (!(yield* store.register(agentId, now))) return;
        yield* events.record([
          {
            kind: "agent.registered",
            projectId: null,
            relatedProjectId: null,
            subjectId: agentId,
            actor,
            data: {},
          },
        ]);
      });

      const ensure = (agentId: string) =>
        Effect.flatMap(Principal.CurrentPrincipal, (principal) =>
          register(agentId, Principal.actorOf(principal)),
        );

      const exists = (agentId: string) =>
        Effect.flatMap(store.get(agentId), (agent) =>
          Option.isSome(agent)
            ? Effect.void
            : Effect.fail(new NotFound({ resource: "agent", id: agentId })),
        );

      const admit = Effect.fnUntraced(function* (agentId: string) {
        const id = yield* decodeId(agentId);
        if (yield* directory.knows("agent", id)) return id;
        return yield* new NotFound({ resource: "agent", id });
      });

      const list = Span.fn("Agents.list")(function* (request: Page.PageRequest = {}) {
        const { projects } = yield* Principal.CurrentPrincipal;
        const now = yield* Timestamp.now;
        const page = yield* Page.read(
          { ...request, defaultOrder: "desc", query: ["agents"] },
          (slice) => store.list(projects, now, slice),
        );
        return Page.map(page, ({ seq: _, ...agent }) => agent);
      });

      const put = Span.fn("Agents.put")(function* (
        agentId: string,
        input: typeof AgentUpdate.Encoded = {},
      ) {
        const principal = yield* Principal.requireUnbound("Admin");
        const { name } = yield* decodeUpdate(input);
        const id = yield* admit(agentId);
        return yield* transact(
          Effect.gen(function* () {
            yield* register(id, Principal.actorOf(principal));
            if (name != null) yield* store.rename(id, name);
            const { seq: _, ...agent } = yield* Effect.flatMap(
              store.get(id),
              Effect.fromOption,
            ).pipe(Effect.catchTag("NoSuchElementError", Effect.die));
            const now = yield* Timestamp.now;
            const unended = yield* runs.notEnded(id);
            return { ...agent, activeRuns: unended.filter((run) => isLive(run, now)).length };
          }),
        );
      });

      return Agents.of({ list, put, ensure, exists, admit });
    }),
  );
}
