import { Principal } from "@quartermaster/core";
import { Effect } from "effect";

/** Principals for calls. */

export const as =
  (principal: Principal.Principal) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E, Exclude<R, Principal.CurrentPrincipal>> =>
    Effect.provideService(effect, Principal.CurrentPrincipal, principal);

/** A user. Default: an Editor of every project. */
export const user = (
  id: string,
  overrides: Partial<Principal.Principal> = {},
): Principal.Principal => ({ ...Principal.user(id, "Editor"), ...overrides });

/** An agent with its own key. Default: an Editor of every project. */
export const agent = (
  id: string,
  overrides: Partial<Principal.Principal> = {},
): Principal.Principal => ({
  ...user(id, { type: "Agent", agentId: id, userId: null }),
  ...overrides,
});
