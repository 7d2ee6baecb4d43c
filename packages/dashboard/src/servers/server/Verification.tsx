import { usePreparation } from "../../data/servers/preparation.ts";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Prose } from "../../parts/Prose.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { plural } from "../words.ts";
import section from "../Section.module.css";
import styles from "./Overview.module.css";

/** The result of the last verification, and the progress of the current one. */
export const Verification = ({ server }: { readonly server: InstalledServer }) => {
  const preparation = usePreparation(server.id);
  const last = server.lastVerification;
  const subject = preparation?.package ?? "the program";
  const tools = last?.capabilities ?? [];
  return (
    <section className={section["section"]} aria-label="Verification">
      <h2>
        Verification
        {last === null ? null : (
          <>
            <Badge
              tone={last.status === "ok" ? "success" : "danger"}
              text={last.status === "ok" ? "OK" : "Failed"}
            />
            <RelativeTime iso={last.verifiedAt} prefix="Verified" />
          </>
        )}
      </h2>
      <div role="status" className={styles["now"]}>
        {preparation?.state === "preparing"
          ? `Preparing ${subject}. Fetching a package can take minutes.`
          : preparation?.state === "verifying"
            ? "Starting the server and listing its tools."
            : ""}
      </div>
      {preparation?.state === "failed" ? (
        <p className={styles["details"]}>
          <Prose text={preparation.reason ?? ""} />
        </p>
      ) : null}
      {last === null ? (
        preparation === null ? (
          <p className={styles["quiet"]}>
            Not verified yet. A verification starts the server once and lists its tools.
          </p>
        ) : null
      ) : (
        <p className={styles["details"]} dir="auto">
          <Prose text={last.details} />
        </p>
      )}
      {tools.length === 0 ? null : (
        <>
          <p className={styles["quiet"]}>
            {plural(tools.length, "tool")}
            {last?.tokens == null ? "" : `, about ${plural(last.tokens, "token")}`}
          </p>
          <ul className={styles["names"]}>
            {tools.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};
