import { shortDigest, type ToolEntry, tokensText } from "./entry.ts";
import { ToolStateBadge } from "./ToolStateBadge.tsx";
import styles from "./ToolDetail.module.css";

/** The server, state, price and digest of a tool. */
export const ToolFacts = ({ entry }: { readonly entry: ToolEntry }) => (
  <dl className={styles["facts"]}>
    <div>
      <dt>State</dt>
      <dd>
        <ToolStateBadge state={entry.state} />
      </dd>
    </div>
    {entry.kind === "prompt" ? (
      <div>
        <dt>Kind</dt>
        <dd>Prompt</dd>
      </div>
    ) : null}
    <div>
      <dt>Server</dt>
      <dd>{entry.server}</dd>
    </div>
    {entry.tokens === null ? null : (
      <div>
        <dt>Tokens</dt>
        <dd>{tokensText(entry.tokens)}</dd>
      </div>
    )}
    {entry.digest === null ? null : (
      <div>
        <dt>Digest</dt>
        <dd>
          <code title={entry.digest}>{shortDigest(entry.digest)}</code>
        </dd>
      </div>
    )}
  </dl>
);
