import type { Client } from "@quartermaster/client";

/** The milliseconds from the response to a change on one node to its event on another one, sorted. */
export const measure = async (
  writer: Client,
  reader: Client,
  projectId: string,
  changes: number,
): Promise<ReadonlyArray<number>> => {
  const { id: issueId } = await writer.issues.create({ projectId, title: "Seen elsewhere" });
  const over = new AbortController();
  const arrived = new Map<string, number>();
  let told = () => {};
  const stream = await reader.events.subscribe(
    { projectId, kinds: "issue.commented" },
    { signal: over.signal },
  );
  const reading = (async () => {
    for await (const { data } of stream) {
      arrived.set(String(data["commentId"]), performance.now());
      told();
    }
  })();
  const times: Array<number> = [];
  for (let count = 0; count < changes; count += 1) {
    const { id } = await writer.comments.create({ issueId, content: `Comment ${count}` });
    const respondedAt = performance.now();
    while (!arrived.has(id)) {
      await new Promise<void>((resolve) => {
        told = resolve;
      });
    }
    times.push(Math.max(0, (arrived.get(id) ?? 0) - respondedAt));
  }
  over.abort();
  await reading;
  return times.toSorted((a, b) => a - b);
};
