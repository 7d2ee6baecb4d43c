import { useEffect, useRef } from "react";
import { useAuthorize, useAuthorized } from "../../data/servers/authorization.ts";
import { useCatalogEntry } from "../../data/servers/catalog.ts";
import { type InstalledServer, useServerCommand } from "../../data/servers/servers.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { safeUrl } from "../words.ts";
import section from "../Section.module.css";
import styles from "./Overview.module.css";

/**
 * The OAuth authorization of a remote server. The user consents in another tab; an event reports the
 * result.
 */
export const Authorization = ({ server }: { readonly server: InstalledServer }) => {
  const manifest = useCatalogEntry(server.catalogId).data?.manifest;
  const authorize = useAuthorize();
  const authorizedAt = useAuthorized(server.id);
  const { mutate: command } = useServerCommand();
  const isVerified = useRef<string | null>(null);
  const url = safeUrl(authorize.data?.url);
  useEffect(() => {
    if (authorizedAt === null || isVerified.current === authorizedAt) return;
    isVerified.current = authorizedAt;
    command({ command: "verify", serverId: server.id });
  }, [authorizedAt, command, server.id]);
  if (manifest === undefined || !("url" in manifest)) return null;
  const hasHeader = Object.keys(manifest.headers ?? {}).some(
    (name) => name.toLowerCase() === "authorization",
  );
  if (hasHeader) return null;
  const { lastVerification: last } = server;
  const needs =
    authorizedAt === null && last?.status === "error" && /authori[sz]/i.test(last.details);
  const start = () =>
    authorize.mutate(server.id, {
      onSuccess: ({ url: to }) => {
        const safe = safeUrl(to);
        if (safe !== null) window.open(safe, "_blank", "noopener,noreferrer");
      },
    });
  return (
    <section className={section["section"]} aria-label="Authorization">
      <h2>
        Authorization
        {authorizedAt !== null ? (
          <>
            <Badge tone="success" text="Authorized" />
            <RelativeTime iso={authorizedAt} prefix="Authorized" />
          </>
        ) : needs ? (
          <Badge tone="warning" text="Required" />
        ) : null}
      </h2>
      <p className={styles["quiet"]}>
        Sign in at the server and consent. Agents then act with your consent. The tokens are stored
        encrypted.
      </p>
      <div className={styles["foot"]}>
        <Button
          variant={needs ? "primary" : "default"}
          disabled={authorize.isPending}
          onClick={start}
        >
          {authorizedAt === null ? "Authorize" : "Authorize again"}
        </Button>
        <span role="status" className={styles["quiet"]}>
          {url === null || authorizedAt !== null ? null : (
            <>
              Sign in within 10 minutes in the tab that opened. If no tab opened,{" "}
              <a className={section["link"]} href={url} target="_blank" rel="noreferrer noopener">
                open {new URL(url).host}
              </a>
              .
            </>
          )}
        </span>
      </div>
      <ErrorNote error={authorize.error} />
    </section>
  );
};
