import {
  type JSONRPCMessage,
  ProtocolError,
  type RequestId,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from "@modelcontextprotocol/client";
import { McpConnector } from "@quartermaster/core";
import { Predicate } from "effect";

const { ConnectorError, RpcError } = McpConnector;
type ConnectorError = McpConnector.ConnectorError;
type RpcError = McpConnector.RpcError;

/** A failure with a reason that the transport knows. The SDK passes it through unchanged. */
export class TransportFailure extends Error {
  readonly reason: ConnectorError["reason"];
  readonly sent: boolean;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** The scopes that the token lacks, separated by spaces. */
  readonly scope: string | undefined;
  /** The delay that the server requested, in seconds. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: ConnectorError["reason"],
    message: string,
    sent: boolean,
    status?: number,
    scope?: string,
    retryAfterSeconds?: number,
  ) {
    super(message);
    this.reason = reason;
    this.sent = sent;
    this.status = status;
    this.scope = scope;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * A response that fails a request whose own response was lost. `of` recovers the failure from it.
 */
export const answer = (id: RequestId, failure: TransportFailure): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32_000, message: failure.message, data: failure },
});

const tooLargeBytes = "quartermaster/tooLargeBytes";

/**
 * A response that replaces an oversized one. `of` recovers the failure from it, even after a round
 * trip through JSON.
 */
export const tooLarge = (id: RequestId, bytes: number, limit: number): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: {
    code: -32_000,
    message: `The server's response of ${bytes} bytes is larger than ${limit} bytes.`,
    data: { [tooLargeBytes]: bytes },
  },
});

/** The size of a response that was too large; undefined for other errors. */
const tooLargeBytesOf = ({ data }: ProtocolError): number | undefined => {
  const bytes = Predicate.isReadonlyObject(data) ? data[tooLargeBytes] : undefined;
  return Number.isSafeInteger(bytes) ? Number(bytes) : undefined;
};

const isCode = (error: unknown, code: SdkErrorCode) =>
  error instanceof SdkError && error.code === code;

export const isTimeout = (error: unknown) => isCode(error, SdkErrorCode.RequestTimeout);

/** Converts the rejection of a request to an error of the port. */
export const of = (error: unknown): ConnectorError | RpcError => {
  if (error instanceof TransportFailure) return new ConnectorError(error);
  if (error instanceof ProtocolError) {
    if (error.data instanceof TransportFailure) return of(error.data);
    const bytes = tooLargeBytesOf(error);
    if (bytes !== undefined) {
      return new ConnectorError({ reason: "tooLarge", message: error.message, sent: true, bytes });
    }
    const code = Number.isSafeInteger(error.code) ? error.code : -32_603;
    return new RpcError({ code, message: error.message, data: error.data });
  }
  if (error instanceof SdkHttpError) {
    const { status } = error.data;
    return new ConnectorError({
      reason: "httpStatus",
      message: `HTTP status ${status}.`,
      sent: true,
      status,
    });
  }
  if (error instanceof SseError) return failure("closed", "The event stream was lost.");
  if (isCode(error, SdkErrorCode.ConnectionClosed) || isCode(error, SdkErrorCode.NotConnected)) {
    return failure("closed", "The connection was closed.");
  }
  if (error instanceof SdkError) return failure("notMcp", notMcp(error));
  return failure("notMcp", "The server's response is not an MCP answer.");
};

const notMcp = ({ message }: Error) => {
  const [line = ""] = message.split("\n");
  return `The server's response is not an MCP answer: ${line.slice(0, 200)}.`;
};

const failure = (reason: ConnectorError["reason"], message: string) =>
  new ConnectorError({ reason, message, sent: true });
