import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Statistics } from "../data/stats.ts";

const statuses = { created: undefined, resolved: "Resolved", closed: "Closed" } as const;
const kinds = { failed: "failed", expired: "tooManyAttempts" } as const;

/** A number that links to the issues or inbox items that it counts. */
export const CountLink = ({
  children,
  name,
  project,
}: {
  readonly name: Exclude<keyof Statistics["series"][number], "at">;
  readonly project: ReadonlyArray<string> | undefined;
  readonly children: ReactNode;
}) =>
  name === "failed" || name === "expired" ? (
    <Link to="/inbox" search={{ kind: [kinds[name]], project }}>
      {children}
    </Link>
  ) : (
    <Link to="/work" search={{ status: statuses[name], project, view: "list" }}>
      {children}
    </Link>
  );
