/** The content of both sides' databases: the same in every run. */

export interface SeedIssue {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly description: string;
  readonly status: "Open" | "PendingReview" | "Resolved" | "Closed";
  readonly createdAt: string;
}

export const project = (index: number) => `project-${index}`;

/** The word that occurs only in this issue. */
export const rareWord = (index: number) => `needle${index}`;

/** Two words. Each occurs in half of the issues, independently of the other. */
export const commonWords = ["copper", "lantern"] as const;

export const issueId = (index: number) => `iss_01J${String(index).padStart(23, "0")}`;

const syllables = "ba ce di fo gu la me ni po ru sa te vi xo zu".split(" ");

const hash = (value: number) => {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** One of 3,375 words. The first ones are far more frequent than the last ones. */
const word = (seed: number) => {
  const share = hash(seed) / 2 ** 32;
  let rank = Math.floor(share * share * share * syllables.length ** 3);
  let text = "";
  for (let length = 0; length < 3; length++) {
    text += syllables[rank % syllables.length];
    rank = Math.floor(rank / syllables.length);
  }
  return text;
};

const words = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => word(seed * 64 + index)).join(" ");

const statuses = ["Open", "Open", "PendingReview", "Resolved", "Closed"] as const;

/** Yesterday: retention would remove older events during a measurement. */
const start = Date.now() - 86_400_000;

const priorities = ["urgent", "high", "normal", "low"] as const;

/**
 * One label that a quarter of the issues have, and labels that a fiftieth of the issues have each.
 */
export const commonLabel = "bug";
export const rareLabel = (index: number) => `area-${index % 50}`;

/**
 * The fields that lists filter by: a quarter of the issues is assigned, and one in eight open
 * issues of an agent is paused.
 */
export const varied = ({ createdAt, status }: SeedIssue, index: number) => {
  const dice = hash(index * 7 + 3);
  const isAssigned = dice % 4 === 0;
  return {
    priority: priorities[(dice >> 8) % 4] ?? "normal",
    labels: [rareLabel(dice >> 4), ...((dice >> 12) % 4 === 0 ? [commonLabel] : [])],
    externalRef: `GH-${index}`,
    assignedAgentId: isAssigned ? `agent-${(dice >> 16) % 50}` : null,
    pausedBecause:
      isAssigned && status === "Open" && (dice >> 20) % 8 === 0 ? ("failed" as const) : null,
    updatedAt: new Date(Date.parse(createdAt) + ((dice >> 2) % 3_600_000)).toISOString(),
  };
};

/** The issue with this number, counted from 1. Consecutive issues are in different projects. */
export const issue = (index: number, projects: number): SeedIssue => {
  const dice = hash(index);
  const common = commonWords.filter((_, bit) => ((dice >> bit) & 1) === 1);
  return {
    id: issueId(index),
    projectId: project(index % projects),
    title: `${words(index * 2, 5)} ${rareWord(index)}`,
    description: [...common, words(index * 2 + 1, 16)].join(" "),
    status: statuses[(dice >> 4) % statuses.length] ?? "Open",
    createdAt: new Date(start + index * 20).toISOString(),
  };
};
