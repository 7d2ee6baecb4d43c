import type { SideEffects } from "../Issue.ts";

/**
 * The creations of a request: its issues, whether their project is new, and the places of the issues whose
 * agent is new. As text it is the id under which a repeated request finds them.
 */
export interface Creations {
  readonly issueIds: ReadonlyArray<string>;
  readonly isProjectNew: boolean;
  readonly newAgents: ReadonlySet<number>;
}

export const toText = ({ isProjectNew, issueIds, newAgents }: Creations): string =>
  [...issueIds, ...(isProjectNew ? ["+project"] : []), ...[...newAgents].map((n) => `+${n}`)].join(
    " ",
  );

export const fromText = (text: string): Creations => {
  const parts = text.split(" ");
  const marks = parts.filter((part) => part.startsWith("+")).map((part) => part.slice(1));
  return {
    issueIds: parts.filter((part) => part !== "" && !part.startsWith("+")),
    isProjectNew: marks.includes("project"),
    newAgents: new Set(marks.filter((mark) => mark !== "project").map(Number)),
  };
};

/** The creations on the way of the issue at a place of the request. */
export const onTheWay = (
  { isProjectNew, newAgents }: Omit<Creations, "issueIds">,
  place: number,
  projectId: string,
  agentId: string | null | undefined,
): SideEffects["created"] => ({
  project: isProjectNew && place === 0 ? projectId : null,
  agent: newAgents.has(place) ? (agentId ?? null) : null,
});
