import { getRouteApi } from "@tanstack/react-router";
import { useMay } from "../../data/live/session.ts";
import { useCatalogEntry, useHost } from "../../data/servers/catalog.ts";
import { Markdown } from "../../parts/Markdown.tsx";
import { ScreenHead } from "../../parts/ScreenHead.tsx";
import { ScreenState } from "../../parts/ScreenState.tsx";
import { toCatalog, toServers } from "../path.tsx";
import { safeUrl } from "../words.ts";
import { EntryBadges } from "./EntryBadges.tsx";
import { Install } from "./Install.tsx";
import { reachOf } from "./warnings.ts";
import { Warnings } from "./Warnings.tsx";
import section from "../Section.module.css";
import styles from "./Entry.module.css";

const route = getRouteApi("/servers/catalog/$entryId");

/** A catalog entry: description, permissions and installation. */
export const Entry = () => {
  const { entryId } = route.useParams();
  const { data: entry, error } = useCatalogEntry(entryId);
  const host = useHost().data;
  const mayInstall = useMay("Admin");
  const homepage = safeUrl(entry?.homepage);
  return (
    <>
      <ScreenHead
        title={entry?.name ?? "Entry"}
        path={
          <>
            {toServers}
            {toCatalog}
          </>
        }
      />
      <ScreenState error={error} isPending={entry === undefined && error === null} />
      {entry === undefined ? null : (
        <div className={styles["scroll"]}>
          <div className={styles["entry"]}>
            <div className={styles["about"]}>
              <p className={styles["description"]}>{entry.description}</p>
              <div className={styles["badges"]}>
                <EntryBadges entry={entry} />
              </div>
              {host === undefined ? null : <Warnings entry={entry} host={host} />}
              <section className={section["section"]} aria-label="Before you install">
                <h2>Before the installation</h2>
                <Markdown text={entry.installInstructions} />
              </section>
              <section className={section["section"]} aria-label="Reach">
                <h2>{entry.transport === "stdio" ? "The program can access" : "The server"}</h2>
                <ul className={styles["reach"]}>
                  {reachOf(entry).map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </section>
              <dl className={section["facts"]}>
                {"command" in entry.manifest && entry.manifest.package != null ? (
                  <>
                    <dt>Package</dt>
                    <dd>
                      {entry.manifest.package}
                      {entry.manifest.version == null ? "" : ` ${entry.manifest.version}`}
                    </dd>
                  </>
                ) : null}
                {homepage === null ? null : (
                  <>
                    <dt>Website</dt>
                    <dd>
                      <a
                        className={section["link"]}
                        href={homepage}
                        target="_blank"
                        rel="noreferrer noopener nofollow"
                      >
                        {homepage}
                      </a>
                    </dd>
                  </>
                )}
              </dl>
            </div>
            {mayInstall ? <Install key={entry.id} entry={entry} /> : null}
          </div>
        </div>
      )}
    </>
  );
};
