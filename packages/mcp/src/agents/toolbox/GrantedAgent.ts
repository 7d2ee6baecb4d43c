import { Principal, Role } from "@quartermaster/core";
import { Effect } from "effect";

/** The current principal's agent, if it may use servers; null otherwise. */
export const grantedAgent: Effect.Effect<string | null, never, Principal.CurrentPrincipal> =
  Effect.map(Principal.CurrentPrincipal, ({ agentId, role }) =>
    agentId !== null && Role.includes(role, "Editor") ? agentId : null,
  );
