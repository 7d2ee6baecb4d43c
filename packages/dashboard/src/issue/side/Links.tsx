import { Link } from "@tanstack/react-router";
import type { Issue } from "../../data/issues/issue.ts";
import { type IssueLink, useIssuesById, useNeighbors, useUnlink } from "../../data/issues/links.ts";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { IconButton } from "../../parts/IconButton.tsx";
import { StatusIcon } from "../../parts/StatusIcon.tsx";
import styles from "./Side.module.css";

const groups = [
  { type: "BlockedBy", label: "Blocked by", add: "Add a blocker" },
  { type: "Blocks", label: "Blocks", add: "Add a blocked issue" },
  { type: "RelatedTo", label: "Related", add: "Add a related issue" },
  { type: "DuplicateOf", label: "Duplicate", add: "Mark as a duplicate" },
] as const satisfies ReadonlyArray<{
  readonly type: IssueLink["linkType"];
  readonly label: string;
  readonly add: string;
}>;

/** The links of the issue by kind; read-only without `onAdd`. */
export const Links = ({
  issue,
  onAdd,
}: {
  readonly issue: Issue;
  readonly onAdd: ((type: IssueLink["linkType"]) => void) | null;
}) => {
  const nodes = useNeighbors(issue.id).data?.nodes;
  const unlink = useUnlink(issue.id);
  const near = new Map((nodes ?? []).map((node) => [node.id, node]));
  const far = useIssuesById(
    issue.links
      .filter(({ linkType }) => linkType === "RelatedTo" || linkType === "DuplicateOf")
      .map(({ targetIssueId }) => targetIssueId),
  );
  const sections = groups.map(({ add, label, type }) => {
    const links = issue.links.filter(({ linkType }) => linkType === type);
    const isShown = links.length > 0 || (onAdd !== null && type !== "DuplicateOf");
    return !isShown ? null : (
      <section key={type} className={styles["links"]} aria-label={label}>
        <div className={styles["linksHead"]}>
          <h2>{label}</h2>
          {onAdd === null ? null : (
            <IconButton icon="plus" label={add} small onClick={() => onAdd(type)} />
          )}
        </div>
        {links.length === 0 ? null : (
          <ul>
            {links.map(({ id, targetIssueId }) => {
              const other = near.get(targetIssueId) ?? far.get(targetIssueId);
              const title = other?.title ?? targetIssueId;
              return (
                <li key={id} className={styles["linkRow"]}>
                  <Link
                    to="/issues/$issueId"
                    params={{ issueId: other?.key ?? targetIssueId }}
                    className={styles["other"]}
                  >
                    {other === undefined ? null : (
                      <>
                        <StatusIcon status={other.status} />
                        <small className={styles["key"]}>{other.key}</small>
                      </>
                    )}
                    <span dir="auto">{title}</span>
                  </Link>
                  {onAdd === null ? null : (
                    <IconButton
                      icon="close"
                      label={`Remove the link to ${title}`}
                      small
                      onClick={() => unlink.mutate(id)}
                    />
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </section>
    );
  });
  return (
    <>
      {sections}
      {issue.links.length === 0 ? null : (
        <ButtonLink
          to="/graph"
          search={{ issue: issue.id }}
          small
          variant="quiet"
          className={styles["graph"]}
        >
          <Icon name="graph" size={14} />
          Show the graph
        </ButtonLink>
      )}
    </>
  );
};
