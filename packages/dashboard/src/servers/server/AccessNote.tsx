import { Link } from "@tanstack/react-router";
import { useAccess } from "../../data/servers/access.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import section from "../Section.module.css";
import styles from "./Overview.module.css";

/** A note that no agent may use an enabled server, with a link to its access. */
export const AccessNote = ({ server }: { readonly server: InstalledServer }) => {
  const { data } = useAccess(server.id);
  if (data === undefined || data.some(({ granted }) => granted)) return null;
  return (
    <section className={section["section"]} aria-label="Access">
      <p className={styles["details"]}>
        The server is enabled, but no agent has access to it.{" "}
        <Link
          className={styles["link"]}
          to="/servers/$serverId"
          params={{ serverId: server.id }}
          search={{ tab: "access" }}
        >
          Grant access
        </Link>
      </p>
    </section>
  );
};
