import { Principal, PromiseHost } from "@quartermaster/core";
import { Deferred, Effect, type Layer, ManagedRuntime, Stream } from "effect";
import * as Embedded from "./Embedded.ts";
import type { Options } from "./Options.ts";
import { core, type Services, services } from "./Services.ts";

/** A runtime for effects that call services of core, such as the routes of `@quartermaster/http`. */
export type Runtime = ManagedRuntime.ManagedRuntime<
  Layer.Success<ReturnType<typeof Embedded.layer>>,
  Layer.Error<ReturnType<typeof Embedded.layer>>
>;

/**
 * Quartermaster in this process. Its own services act on behalf of `Principal.system`, which may do
 * everything. Housekeeping runs until `close`.
 */
export interface Quartermaster extends Services, AsyncDisposable {
  /** Returns the same services on behalf of a user or an agent, with that principal's permissions. */
  as(principal: Principal.Principal): Services;
  /** Returns an agent of this program. Its `tasks()` are the issues that the agent picks up. */
  agent(agentId: string): Promise<PromiseHost.PromiseAgent>;
  /** The runtime for code that uses Effect, and for `Mount.open` of `@quartermaster/http`. */
  readonly runtime: Runtime;
  /**
   * Stops MCP servers, finishes event streams, interrupts calls in flight, and closes the database.
   * Leave the loops over `tasks()` first: an agent holds a task that was not handed in until its
   * lease expires.
   */
  close(): Promise<void>;
}

const open = async (options: Options): Promise<Quartermaster> => {
  const runtime = ManagedRuntime.make(Embedded.layer(options));
  const all = await runtime.runPromise(core).catch(async (error: unknown) => {
    await runtime.dispose();
    throw error;
  });
  const closed = Deferred.makeUnsafe<void>();
  const as = (principal: Principal.Principal): Services =>
    services(all, {
      run: (effect) =>
        runtime.runPromise(Effect.provideService(effect, Principal.CurrentPrincipal, principal)),
      // Streams run outside the runtime, because closing the runtime would not finish them.
      iterate: (stream) =>
        Stream.toAsyncIterable(Stream.interruptWhen(stream, Deferred.await(closed))),
    });
  const close = () => {
    Deferred.doneUnsafe(closed, Effect.void);
    return runtime.dispose();
  };
  return {
    ...as(Principal.system),
    as,
    agent: PromiseHost.make(runtime).agent,
    runtime,
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** Opens Quartermaster in a folder. Rejects if the folder or the key file is not usable. */
export const Quartermaster = { open };
