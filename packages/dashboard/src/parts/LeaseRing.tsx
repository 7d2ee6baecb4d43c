import { ago, useNow } from "./RelativeTime.tsx";

const radius = 6;
const around = 2 * Math.PI * radius;

/** A ring that shows the remaining fraction of a lease, from its last renewal to its expiry. */
export const LeaseRing = ({
  expiresAt,
  renewedAt,
  size = 16,
}: {
  readonly expiresAt: string;
  readonly renewedAt: string;
  readonly size?: number;
}) => {
  const now = useNow();
  const end = Date.parse(expiresAt);
  const length = Math.max(1, end - Date.parse(renewedAt));
  const left = Math.min(1, Math.max(0, (end - now) / length));
  const text =
    end > now
      ? `The lease expires ${ago(expiresAt, now) === "now" ? "in seconds" : ago(expiresAt, now)}`
      : "The lease has expired";
  return (
    <svg
      role="img"
      aria-label={text}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      strokeWidth="2.500"
      style={{ color: left > 0.25 ? "var(--status-progress)" : "var(--danger)" }}
    >
      <title>{text}</title>
      <circle cx="8" cy="8" r={radius} stroke="var(--border-strong)" />
      <circle
        cx="8"
        cy="8"
        r={radius}
        stroke="currentColor"
        strokeLinecap="round"
        strokeDasharray={`${left * around} ${around}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  );
};
