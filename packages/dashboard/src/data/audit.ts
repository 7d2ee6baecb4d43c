import type { AuditEntry } from "@quartermaster/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useData } from "./live/data.ts";
import { pagesOf } from "./live/query.ts";

export type { AuditEntry } from "@quartermaster/client";

type Action = AuditEntry["action"];
type KindOf<A> = A extends `${infer Kind}.${string}` ? Kind : never;

/** The part of an action before the dot. */
export type AuditKind = KindOf<Action>;

/** Each action as a verb, which the name of its subject follows. */
export const auditWords: Readonly<Record<Action, string>> = {
  "key.created": "created the key",
  "key.deleted": "deleted the key",
  "session.created": "signed in",
  "session.deleted": "ended a session",
  "access.granted": "gave access to the server",
  "access.revoked": "revoked access to the server",
  "access.changed": "changed access to the server",
  "server.installed": "installed the server",
  "server.updated": "changed the server",
  "server.authorized": "authorized the server",
  "server.enabled": "enabled the server",
  "server.disabled": "disabled the server",
  "server.uninstalled": "uninstalled the server",
  "server.toolsAccepted": "accepted tools of the server",
  "server.toolsBlocked": "blocked tools of the server",
  "server.toolsUnblocked": "unblocked tools of the server",
  "catalogEntry.created": "created the catalog entry",
  "catalogEntry.updated": "changed the catalog entry",
  "catalogEntry.deleted": "deleted the catalog entry",
  "agent.updated": "changed the agent",
  "agent.deleted": "deleted the agent",
  "project.created": "created the project",
  "project.updated": "changed the project",
  "project.deleted": "deleted the project",
  "webhook.created": "created the webhook",
  "webhook.updated": "changed the webhook",
  "webhook.rotated": "rotated the secret of the webhook",
  "webhook.deleted": "deleted the webhook",
};

const actions = Object.keys(auditWords) as ReadonlyArray<Action>;
const kindOf = (action: Action) => action.slice(0, action.indexOf(".")) as AuditKind;

export const auditKinds: ReadonlyArray<AuditKind> = [...new Set(actions.map(kindOf))];

/** The audit log, newest first. Its entries emit no events, so each visit reads them again. */
export const useAudit = (kind: AuditKind | undefined, actor: string | undefined) => {
  const { api } = useData();
  const action =
    kind === undefined ? undefined : actions.filter((name) => kindOf(name) === kind).join(",");
  return useInfiniteQuery({
    ...pagesOf(["audit", kind, actor], (cursor, signal) =>
      api.audit.list({ limit: 100, cursor, action, actor }, { signal }).page(),
    ),
    refetchOnMount: "always",
  });
};
