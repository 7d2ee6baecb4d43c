import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";

/** The maximum number of UTF-16 units that are buffered until a line ends. */
const longest = 16 * 1_024;

/**
 * Prints the output of a command line by line, with a label before each, so that the outputs of several commands can
 * stand in one terminal or journal.
 */
export class Lines {
  readonly #label: string;
  readonly #secret: string;
  readonly #print: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  constructor(label: string, secret: string, print: (line: string) => void) {
    this.#label = label;
    this.#secret = secret;
    this.#print = print;
  }

  push(chunk: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.write(Buffer.from(chunk))).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#show(line);
    if (this.#rest.length > longest) this.end();
  }

  /** Prints a last line that has no line break. */
  end(): void {
    if (this.#rest !== "") this.#show(this.#rest);
    this.#rest = "";
  }

  /** Control characters could move the cursor into the lines of other commands. */
  #show(line: string): void {
    const text = stripVTControlCharacters(line)
      .replaceAll(this.#secret, "[secret QM_KEY]")
      // oxlint-disable-next-line no-control-regex -- these are the characters to remove
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
    this.#print(`${this.#label} ${text}`);
  }
}
