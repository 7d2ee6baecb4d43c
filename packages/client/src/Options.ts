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
   * 1 to 128 characters. Within 24 hours, the same key with the same arguments returns the result
   * of the first call. Default: a new key for each call.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The options of a method that changes an issue. */
export interface ChangeOptions extends CallOptions {
  /**
   * The version of the issue that the change requires. Any other version rejects with
   * `precondition-failed`.
   */
  readonly ifMatch?: number | undefined;
}

/** The options of a stream of events. */
export interface EventOptions extends CallOptions {
  /** The id of the event after which the stream starts. Default: starts with the next new event. */
  readonly lastEventId?: string | undefined;
}

/**
 * The file of an upload. A `Blob` or bytes are sent again when the server asks to wait; a stream is
 * sent once. A `Blob` is read while it is sent.
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
  /**
   * The server's URL, including the path at which it is mounted, such as
   * `https://host/quartermaster`.
   */
  readonly url: string | URL;
  /**
   * An API key or a bearer token, or a function that returns the current one for each request.
   * Default: none; a browser then sends its session cookie.
   */
  readonly key?: string | (() => string) | undefined;
  /**
   * The run that every call acts for, sent as `Quartermaster-Run`; null for none. Default: the
   * environment variable `QM_RUN_ID`, which `quartermaster work` sets for its command. Calls of a
   * task act for the task's run.
   */
  readonly runId?: string | null | undefined;
  /** The `sessionSecret` of the browser's session, for writes by cookie. Default: none. */
  readonly sessionSecret?: string | undefined;
  /**
   * The transport. Default: the platform's `fetch`. Methods that return a `Response` return the
   * transport's own.
   */
  readonly fetch?: Fetch | undefined;
  /**
   * The number of retries when the server refuses a call with 429 or 503. Only calls that are safe
   * to repeat are retried: reads, PUT, DELETE and creations. The client waits for the delay in
   * `Retry-After`, and gives up if that is more than 30 seconds. Default: 3.
   */
  readonly retries?: number | undefined;
}
