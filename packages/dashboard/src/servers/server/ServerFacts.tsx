import type { InstalledServer } from "../../data/servers/servers.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { transportOf } from "../words.ts";
import section from "../Section.module.css";

/** The facts of a server that only a user can change. */
export const ServerFacts = ({ server }: { readonly server: InstalledServer }) => (
  <section className={section["section"]} aria-label="About">
    <h2>About</h2>
    <dl className={section["facts"]}>
      <dt>Catalog entry</dt>
      <dd>{server.catalogId}</dd>
      <dt>Runs as</dt>
      <dd>{transportOf(server)}</dd>
      {server.transport === "stdio" ? (
        <>
          <dt>Sandbox</dt>
          <dd>{server.sandbox ?? "Not available on this host"}</dd>
        </>
      ) : null}
      {server.version === null ? null : (
        <>
          <dt>Version</dt>
          <dd>{server.version}</dd>
        </>
      )}
      <dt>Installed</dt>
      <dd>
        <RelativeTime iso={server.createdAt} />
      </dd>
      <dt>Changed</dt>
      <dd>
        <RelativeTime iso={server.updatedAt} />
      </dd>
    </dl>
  </section>
);
