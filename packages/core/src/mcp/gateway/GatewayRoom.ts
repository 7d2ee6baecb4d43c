import { Layer } from "effect";
import { Admissions } from "./internal/Admissions.ts";
import { SharedCallLimits } from "./internal/CallLimits.ts";
import { CallRecords } from "./internal/CallRecords.ts";
import { EffectCalls } from "./internal/EffectCalls.ts";
import { ToolLists } from "./internal/ToolLists.ts";
import { PassedRequests } from "./PassedRequests.ts";
import { PromptGateway } from "./PromptGateway.ts";
import { ResourceGateway } from "./ResourceGateway.ts";
import { ToolGateway } from "./ToolGateway.ts";

/** The services through which agents use servers. */
export const layer = Layer.mergeAll(
  PassedRequests.layerNoDeps,
  PromptGateway.layerNoDeps,
  ResourceGateway.layerNoDeps,
  ToolGateway.layerNoDeps,
).pipe(
  Layer.provide(
    Layer.mergeAll(
      Layer.provideMerge(Admissions.layer, EffectCalls.layer),
      CallRecords.layer,
      SharedCallLimits.layer,
      ToolLists.layer,
    ),
  ),
);
