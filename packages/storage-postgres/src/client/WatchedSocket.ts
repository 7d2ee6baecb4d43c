import { connect, type NetConnectOpts, type Socket } from "node:net";
import { Duplex } from "node:stream";

/**
 * Sockets to the database that fail if it does not respond.
 *
 * A network that drops packets reports nothing: TCP sends again for a quarter of an hour. PostgreSQL
 * responds to the start of a connection and to each "sync" with "ready for query", so a socket is waiting
 * while one of these is missing. Time is counted in looks, which a process that was suspended does not
 * make.
 */
export class WatchedSocket {
  readonly #socket: Socket;
  readonly #isEncrypted: boolean;
  readonly #responses = new Messages();
  /** Messages "ready for query" that the database owes; if they are encrypted, 1 for any number. */
  #owed = 0;
  /** Looks since the last bytes arrived. */
  quietLooks = 0;

  constructor(target: NetConnectOpts, isEncrypted: boolean) {
    this.#socket = connect(target);
    this.#isEncrypted = isEncrypted;
  }

  /** Whether the database owes a response. */
  get isWaiting(): boolean {
    return this.#owed > 0;
  }

  /** The stream for the driver. */
  stream(): Duplex {
    const socket = this.#socket;
    if (this.#isEncrypted) return new Passing(socket, this);
    const write = socket.write.bind(socket) as (...input: ReadonlyArray<unknown>) => boolean;
    socket.write = (...input: ReadonlyArray<unknown>) => {
      this.sent(input[0] as Uint8Array);
      return write(...input);
    };
    socket.on("data", (bytes) => this.received(bytes));
    return socket;
  }

  sent(bytes: Uint8Array): void {
    if (!this.isWaiting) this.quietLooks = 0;
    if (this.#isEncrypted) this.#owed = 1;
    // The first message has no type, and starts with its length.
    else this.#owed += bytes[0] === 0 ? 1 : new Messages().count(bytes, sync);
  }

  received(bytes: Uint8Array): void {
    this.quietLooks = 0;
    // The end of a response is not visible in encrypted bytes.
    if (this.#isEncrypted) this.#owed = 0;
    else this.#owed -= this.#responses.count(bytes, readyForQuery);
  }

  onClose(effect: () => void): void {
    this.#socket.once("close", effect);
  }

  /** Fails what waits for a response. */
  fail(reason: string): void {
    this.#socket.destroy(new Error(reason));
  }
}

/** The types of messages. */
const sync = 0x53;
const readyForQuery = 0x5a;

/** Messages in chunks of bytes: a type, the length of what follows as four bytes, and what follows. */
class Messages {
  /** Bytes of the current message that are still to come; below zero for the bytes of its header. */
  #left = -5;
  #length = 0;
  #type = 0;

  /** Counts the messages of a type that end in the next bytes. */
  count(bytes: Uint8Array, type: number): number {
    let count = 0;
    for (let at = 0; at < bytes.length;) {
      if (this.#left < 0) {
        const byte = bytes[at++] ?? 0;
        if (this.#left === -5) this.#type = byte;
        else this.#length = this.#length * 256 + byte;
        this.#left++;
        if (this.#left < 0) continue;
        this.#left = this.#length - 4;
        this.#length = 0;
      } else {
        const step = Math.min(this.#left, bytes.length - at);
        this.#left -= step;
        at += step;
      }
      if (this.#left > 0) continue;
      if (this.#type === type) count++;
      this.#left = -5;
    }
    return count;
  }
}

/** Passes bytes on. TLS takes over a socket of Node and reads past its events, but not past a stream. */
class Passing extends Duplex {
  readonly #socket: Socket;
  readonly #watched: WatchedSocket;

  constructor(socket: Socket, watched: WatchedSocket) {
    super();
    this.#socket = socket;
    this.#watched = watched;
    socket.on("data", (bytes) => {
      watched.received(bytes);
      if (!this.push(bytes)) socket.pause();
    });
    socket.on("end", () => this.push(null));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Uint8Array, _: string, callback: (error?: Error | null) => void): void {
    this.#watched.sent(bytes);
    this.#socket.write(bytes, callback);
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }
}
