/**
 * The order in which a change locks rows on a storage with row locks. Two changes that lock the same
 * rows in different orders wait for each other until the storage ends one of them. So a change locks
 * an issue before the rows of its run, its questions and its effects, and a blocker before its
 * dependents. `locked` throws otherwise.
 *
 * Entries on the timeline, comments, links and new questions lock their issues.
 */
export class LockOrder {
  readonly #issues = new Set<string>();
  readonly #rows = new Map<string, string>();

  /** Locks an issue. */
  issue(issueId: string): void {
    const row = this.#rows.get(issueId);
    if (row !== undefined && !this.#issues.has(issueId)) {
      throw new Error(`A change locks the issue ${issueId} after its ${row}`);
    }
    this.#issues.add(issueId);
  }

  /** Locks a row of an issue. */
  rowOf(issueId: string, row: "run" | "question" | "effect"): void {
    this.#rows.set(issueId, row);
  }

  /** Locks the dependents of an issue. */
  dependentsOf(issueId: string, dependents: ReadonlyArray<string>): void {
    if (!this.#issues.has(issueId)) {
      throw new Error(`A change locks the dependents of the issue ${issueId} before it`);
    }
    for (const id of dependents) this.issue(id);
  }
}
