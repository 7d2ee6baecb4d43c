import type { Fetch } from "./Fetch.ts";

/** The options that every method takes after its arguments. */
export interface CallOptions {
  /** Cancels the call. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Headers of this call, such as `Range` of a download. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a method that creates something. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 128 characters. Within 24 hours, the same key with the same arguments returns what the first
   * call created. Default: a new key for each call.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The options of a method that changes an issue. */
export interface ChangeOptions extends CallOptions {
  /** The version of the issue that the change requires. Another version is `precondition-failed`. */
  readonly ifMatch?: number | undefined;
}

/** The options of a stream of events. */
export interface EventOptions extends CallOptions {
  /** The stream starts after the event with this id. Default: with the next event. */
  readonly lastEventId?: string | undefined;
}

/**
 * The file of an upload. A `Blob` or bytes are repeated when the server asks to wait; a stream is
 * sent once. A `Blob` is read as it is sent.
 */
export interface Upload {
  readonly file: Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Default: the name of a `File`, else `file`. */
  readonly fileName?: string | undefined;
  /** The media type. Default: the type of a `Blob`, else `application/octet-stream`. */
  readonly contentType?: string | undefined;
}

/** The URL of the server, and the settings of calls. */
export interface ConnectOptions {
  /** The server's URL, with the path that it is mounted at, such as `https://host/quartermaster`. */
  readonly url: string | URL;
  /**
   * An API key or a bearer token, or a function that returns the current one for each request. Default:
   * none, and then a browser sends its session's cookie.
   */
  readonly key?: string | (() => string) | undefined;
  /**
   * The run that every call acts for, sent as `Quartermaster-Run`; null for none. Default: `QM_RUN_ID` of the
   * environment, which `quartermaster work` sets for its command. Calls of a task act for the task's run.
   */
  readonly runId?: string | null | undefined;
  /** The `sessionSecret` of the browser's session, for writes by cookie. Default: none. */
  readonly sessionSecret?: string | undefined;
  /** Default: the platform's `fetch`. Methods that return a `Response` return what this resolves with. */
  readonly fetch?: Fetch | undefined;
  /**
   * The number of retries of a call that the server refuses with 429 or 503, if repetition is safe:
   * reads, PUT, DELETE and creations. The client waits as long as `Retry-After` says, and does not
   * wait for more than 30 seconds. Default: 3.
   */
  readonly retries?: number | undefined;
}
