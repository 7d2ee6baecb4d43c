import { useEffect, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import styles from "./Throughput.module.css";

export interface Line {
  readonly name: string;
  /** A color token, such as `var(--accent)`. */
  readonly color: string;
  readonly values: ReadonlyArray<number>;
}

/** Resolves a color token in the current theme, because a canvas cannot use CSS variables. */
const resolved = (element: HTMLElement, color: string): string => {
  element.style.color = color;
  const value = getComputedStyle(element).color;
  element.style.removeProperty("color");
  return value;
};

const height = 190;

const hour = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const date = { month: "short", day: "numeric" } as const;
const day = new Intl.DateTimeFormat(undefined, date);
const utcDay = new Intl.DateTimeFormat(undefined, { ...date, timeZone: "UTC" });

/** The axis label of a bucket: its hour, or its day. */
const timeName = (seconds: number, bucket: "hour" | "day"): string => {
  const at = new Date(seconds * 1_000);
  if (bucket === "day") return utcDay.format(at);
  return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : hour.format(at);
};

/** Draws lines over time. Decorative: the text and the table beside the chart state the values. */
const draw = (
  element: HTMLElement,
  times: ReadonlyArray<number>,
  lines: ReadonlyArray<Line>,
  bucket: "hour" | "day",
  onPoint: (index: number | null) => void,
): UPlot => {
  const faint = resolved(element, "var(--text-faint)");
  const grid = resolved(element, "var(--border)");
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  const most = Math.max(0, ...lines.flatMap(({ values }) => values));
  const axis = { stroke: faint, font, ticks: { show: false } };
  const options: UPlot.Options = {
    width: Math.max(80, element.clientWidth),
    height,
    padding: [10, 26, 0, 0],
    ...(bucket === "day"
      ? { tzDate: (at: number) => UPlot.tzDate(new Date(at * 1_000), "UTC") }
      : {}),
    legend: { show: false },
    cursor: { drag: { setScale: false, x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: [0, Math.max(4, most * 1.08)] } },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        space: 76,
        values: (_, splits) => splits.map((at) => timeName(at, bucket)),
      },
      {
        ...axis,
        size: 38,
        grid: { stroke: grid, width: 1 },
        incrs: [
          1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000,
        ],
      },
    ],
    series: [
      {},
      ...lines.map(({ color, name }) => ({
        label: name,
        stroke: resolved(element, color),
        width: 2,
        points: { show: times.length < 2, size: 7 },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
  return new UPlot(options, [[...times], ...lines.map(({ values }) => [...values])], element);
};

export const SeriesChart = ({
  bucket,
  lines,
  onPoint,
  times,
}: {
  readonly bucket: "hour" | "day";
  /** Unix timestamps in seconds, ascending. */
  readonly times: ReadonlyArray<number>;
  readonly lines: ReadonlyArray<Line>;
  /** Called with the index of the point under the pointer; null when the pointer leaves. */
  readonly onPoint: (index: number | null) => void;
}) => {
  const element = useRef<HTMLDivElement>(null);
  const report = useRef(onPoint);
  const data = JSON.stringify([times, lines]);
  useEffect(() => {
    report.current = onPoint;
  });
  useEffect(() => {
    const parent = element.current;
    if (parent === null) return undefined;
    const [times, lines] = JSON.parse(data) as [ReadonlyArray<number>, ReadonlyArray<Line>];
    let chart = draw(parent, times, lines, bucket, (index) => report.current(index));
    const again = () => {
      chart.destroy();
      chart = draw(parent, times, lines, bucket, (index) => report.current(index));
    };
    const sizes = new ResizeObserver(() =>
      chart.setSize({ width: Math.max(80, parent.clientWidth), height }),
    );
    sizes.observe(parent);
    // The user or the system may change the theme.
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", again);
    return () => {
      sizes.disconnect();
      theme.disconnect();
      scheme.removeEventListener("change", again);
      chart.destroy();
    };
  }, [bucket, data]);
  return <div ref={element} className={styles["chart"]} aria-hidden="true" />;
};
