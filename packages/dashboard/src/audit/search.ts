import { type AuditKind, auditKinds } from "../data/audit.ts";

/** The search parameters of the screen's URL. Unknown parameters are dropped. */
export interface AuditSearch {
  readonly kind?: AuditKind | undefined;
  /** The id of a user or agent. */
  readonly actor?: string | undefined;
}

export const auditSearch = (search: Record<string, unknown>): AuditSearch => ({
  kind: auditKinds.find((kind) => kind === search["kind"]),
  actor:
    typeof search["actor"] === "string" && search["actor"] !== "" ? search["actor"] : undefined,
});
