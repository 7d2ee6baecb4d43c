const bars = { urgent: 4, high: 3, normal: 2, low: 1 } as const;

export type PriorityName = keyof typeof bars;

/** The word for a priority. */
export const priorityName = (priority: PriorityName): string =>
  `${priority[0]?.toUpperCase() ?? ""}${priority.slice(1)}`;

/** The priority as one to three bars. Urgent has its own symbol. */
export const PriorityIcon = ({
  labelled = false,
  priority,
  size = 14,
}: {
  readonly priority: PriorityName;
  readonly labelled?: boolean;
  readonly size?: number;
}) => (
  <svg
    {...(labelled
      ? { "aria-hidden": true }
      : { role: "img", "aria-label": `${priority} priority` })}
    width={size}
    height={size}
    viewBox="0 0 14 14"
    fill="currentColor"
    style={{ color: priority === "urgent" ? "var(--danger)" : "var(--text-muted)" }}
  >
    {priority === "urgent" ? (
      <>
        <rect x="1" y="1" width="12" height="12" rx="3" />
        <path
          d="M7 3.800v3.700M7 9.900v.300"
          stroke="var(--surface)"
          strokeWidth="1.700"
          strokeLinecap="round"
        />
      </>
    ) : (
      [0, 1, 2].map((bar) => (
        <rect
          key={bar}
          x={1.5 + bar * 4}
          y={9 - bar * 3}
          width="2.600"
          height={3.5 + bar * 3}
          rx="0.800"
          opacity={bar < bars[priority] ? 1 : 0.28}
        />
      ))
    )}
  </svg>
);
