/** The options that the client passes to `fetch`. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal;
  readonly duplex?: "half";
}

/** The part of a response that the client reads. The platform's `Response` has every member. */
export interface FetchResponse extends Pick<
  Response,
  "arrayBuffer" | "json" | "ok" | "status" | "text"
> {
  readonly headers: Pick<Headers, "get">;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** The platform's `fetch`, or another transport. It does not have to follow redirects. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;
