/**
 * Merges the metrics of workers, in Prometheus' format: each sample gets the label `worker`, and the samples of a
 * metric stand together below its description.
 */
export const merge = (texts: ReadonlyMap<number, string>): string => {
  const metrics = new Map<
    string,
    { readonly head: Set<string>; readonly samples: Array<string> }
  >();
  for (const [worker, text] of [...texts].toSorted(([a], [b]) => a - b)) {
    let metric = { head: new Set<string>(), samples: Array<string>() };
    for (const line of text.split("\n")) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        metric = metrics.get(name) ?? { head: new Set(), samples: [] };
        metrics.set(name, metric);
        metric.head.add(line);
      } else if (line !== "") {
        metric.samples.push(labelled(line, worker));
      }
    }
  }
  return [...metrics.values()]
    .flatMap(({ head, samples }) => [...head, ...samples])
    .map((line) => `${line}\n`)
    .join("");
};

const labelled = (sample: string, worker: number): string => {
  const [, name = "", labels = "", value = ""] = /^([^{\s]+)(?:\{(.*)\})? (.*)$/.exec(sample) ?? [];
  return `${name}{worker="${worker}"${labels === "" ? "" : `,${labels}`}} ${value}`;
};
