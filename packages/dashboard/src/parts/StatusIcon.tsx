/**
 * The names and icons of the six statuses. The shape identifies the status even without the color.
 */
const looks = {
  Open: { name: "Open", color: "var(--status-open)" },
  InProgress: { name: "In progress", color: "var(--status-progress)" },
  WaitingOnDependency: { name: "Waiting", color: "var(--status-waiting)" },
  PendingReview: { name: "In review", color: "var(--status-review)" },
  Resolved: { name: "Resolved", color: "var(--status-resolved)" },
  Closed: { name: "Closed", color: "var(--status-closed)" },
} as const;

export type StatusName = keyof typeof looks;

export const statusName = (status: StatusName): string => looks[status].name;

const shapes: Readonly<Record<StatusName, React.ReactNode>> = {
  Open: <circle cx="7" cy="7" r="5.500" />,
  InProgress: (
    <>
      <circle cx="7" cy="7" r="5.500" />
      <path d="M7 3.800a3.200 3.200 0 0 1 0 6.400z" fill="currentColor" stroke="none" />
    </>
  ),
  WaitingOnDependency: (
    <>
      <circle cx="7" cy="7" r="5.500" strokeDasharray="2.600 1.720" />
      <path d="M5.600 5v4M8.400 5v4" />
    </>
  ),
  PendingReview: (
    <>
      <circle cx="7" cy="7" r="5.500" />
      <circle cx="7" cy="7" r="2.400" fill="currentColor" stroke="none" />
    </>
  ),
  Resolved: (
    <>
      <circle cx="7" cy="7" r="6.200" fill="currentColor" stroke="none" />
      <path d="m4.500 7.200 1.800 1.700 3.200-3.500" stroke="var(--surface)" />
    </>
  ),
  Closed: (
    <>
      <circle cx="7" cy="7" r="5.500" />
      <path d="m5 5 4 4M9 5 5 9" />
    </>
  ),
};

/** The icon of a status. It has an accessible name unless `labelled`. */
export const StatusIcon = ({
  labelled = false,
  size = 14,
  status,
}: {
  readonly status: StatusName;
  readonly size?: number;
  /** Whether adjacent text already names the status. */
  readonly labelled?: boolean;
}) => (
  <svg
    {...(labelled ? { "aria-hidden": true } : { role: "img", "aria-label": statusName(status) })}
    width={size}
    height={size}
    viewBox="0 0 14 14"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.500"
    strokeLinecap="round"
    strokeLinejoin="round"
    style={{ color: looks[status].color }}
  >
    {shapes[status]}
  </svg>
);
