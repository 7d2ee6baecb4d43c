import { StringDecoder } from "node:string_decoder";
import type { UsageReport } from "@quartermaster/client";
import { fields, type Host } from "./Host.ts";
import { reportOf } from "./HostUsage.ts";

/** The maximum UTF-16 units of a line. A longer line, such as one with an image, is left out. */
const longest = 4 * 1_024 * 1_024;

/** Reads what a host prints, line by line. A line that is not an event goes to the log unchanged. */
export class HostStream {
  readonly #host: Host;
  readonly #log: (text: string) => void;
  readonly #onSession: (session: string) => void;
  readonly #onUsage: (report: UsageReport) => void;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  #isTooLong = false;
  #session: string | undefined;
  answer: string | null = null;
  failure: string | null = null;

  constructor(
    host: Host,
    log: (text: string) => void,
    onSession: (session: string) => void,
    onUsage: (report: UsageReport) => void,
  ) {
    this.#host = host;
    this.#log = log;
    this.#onSession = onSession;
    this.#onUsage = onUsage;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.write(Buffer.from(chunk))).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!this.#isTooLong) this.#line(line);
      this.#isTooLong = false;
    }
    if (this.#rest.length <= longest) return;
    this.#rest = "";
    this.#isTooLong = true;
  }

  /** Reads a last line that has no line break. */
  end(): void {
    if (!this.#isTooLong) this.#line(this.#rest);
    this.#rest = "";
    this.#isTooLong = false;
  }

  #line(line: string): void {
    if (line.trim() === "") return;
    let event: unknown;
    try {
      event = JSON.parse(line);
    } catch {
      this.#log(`${line}\n`);
      return;
    }
    const { answer, failure, log, session, usage = [] } = this.#host.read(fields(event));
    if (log !== undefined && log !== "") this.#log(`${log}\n`);
    if (answer !== undefined) this.answer = answer;
    if (failure !== undefined) this.failure = failure;
    if (session !== undefined && session !== this.#session) {
      this.#session = session;
      this.#onSession(session);
    }
    for (const numbers of usage) {
      const report = reportOf(numbers, this.#session);
      if (report !== null) this.#onUsage(report);
    }
  }
}
