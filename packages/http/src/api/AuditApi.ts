import { AuditEntry, Text } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions } from "./Access.ts";
import { paging } from "./Query.ts";

const { AuditAction, AuditFilter } = AuditEntry;

const list = HttpApiEndpoint.get("list", "/api/audit", {
  query: {
    ...AuditFilter.fields,
    action: Schema.optionalKey(
      Text.commaList("actions", AuditAction.literals).pipe(
        Schema.annotateEncoded({
          description: `Only these actions, separated by commas: ${AuditAction.literals.join(", ")}.`,
        }),
      ),
    ),
    ...paging,
  },
  success: Schema.Array(AuditEntry.AuditEntry),
}).annotateMerge(
  about({
    summary: "List the audit log",
    description:
      "Returns who changed keys, sessions, access, servers and settings, newest first by default; paged. An entry is written in the transaction of its change, and retained for 400 days by default. With `Accept: application/x-ndjson`, returns every entry that matches, each as JSON in a line of its own; `limit` has no default there. With the session cookie, requires the session's secret.",
    access: { role: "Admin", cookie: true, only: "unbound" },
    needsSessionSecret: true,
  }),
);

/** The audit log. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(list)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Audit log", description: "Who changed what, and from where." }),
  ) {}
