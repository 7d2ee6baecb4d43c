import { Layer } from "effect";
import { AccessTokens } from "./AccessTokens.ts";
import { Authorizations } from "./Authorizations.ts";

/** The services of authorizations at remote servers. */
export const layer = Layer.merge(AccessTokens.layerNoDeps, Authorizations.layerNoDeps);
