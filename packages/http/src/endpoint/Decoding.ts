import { Errors, ExactNumbers, Input } from "@quartermaster/core";
import {
  Context,
  Predicate,
  Result,
  Schema,
  type SchemaAST,
  type SchemaIssue,
  SchemaParser,
} from "effect";
import { HttpApi, type HttpApiEndpoint } from "effect/http-api";
import { Api } from "../api/Api.ts";
import type { Body } from "../request/JsonBody.ts";
import * as Refused from "../request/Refused.ts";
import * as StrictQuery from "./StrictQuery.ts";

/** Decoders for the parts of an endpoint, compiled once, in this order: path, headers, query, body. */

/** Limits: the errors reported per request, and the characters of each path in them. */
const most = { errors: 100, path: 200 };

/**
 * The number of values above which decoding stops at the first error. Reporting 100 errors of a 1
 * MiB body blocked the event loop for up to 1.9 s.
 */
const mostValuesJudged = 2_000;

export const invalid = (errors: Errors.InvalidRequest["errors"]): Refused.Refused =>
  Refused.because(
    new Errors.InvalidRequest({
      errors: errors
        .slice(0, most.errors)
        .map(({ message, path }) => ({ path: path.slice(0, most.path), message })),
    }),
  );

type Options = SchemaAST.ParseOptions | undefined;
type Decoder = (input: unknown, values: number) => Result.Result<unknown, SchemaIssue.Issue>;

const decoder = (schema: Schema.Top, options: Options): Decoder => {
  // Every schema of the contract decodes synchronously and without services.
  const codec = schema as Schema.Top & Schema.ConstraintDecoder<unknown>;
  // Collecting all errors takes three times as long as stopping at the first.
  const first = SchemaParser.decodeUnknownResult(codec, { ...options, errors: "first" });
  if (options?.errors !== "all") return (input) => first(input);
  const all = SchemaParser.decodeUnknownResult(codec, options);
  return (input, values) => {
    const decoded = first(input);
    return Result.isFailure(decoded) && values <= mostValuesJudged ? all(input) : decoded;
  };
};

/** The parts of a request that an endpoint decodes. */
export interface Parts {
  readonly params: unknown;
  readonly headers: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  /** Null if the endpoint has no body. */
  readonly body: Body | null;
}

/** The decoded parts. A part that the endpoint does not declare is missing. */
export type Decoded = Partial<Record<"params" | "headers" | "query" | "payload", unknown>>;

/** The number of values above which numbers are doubles: reading one without a loss takes 0.7 µs. */
const mostExact = 20_000;

/** Reads the arguments of calls without a loss of digits; everything else has numbers. */
const parse = ({ text, values }: Body, isCall: boolean): unknown => {
  try {
    const body: unknown = JSON.parse(text);
    return isCall && values <= mostExact && ExactNumbers.isPossible(text)
      ? withArguments(body, ExactNumbers.parse(text))
      : body;
  } catch {
    return undefined;
  }
};

/** A body of `tools/call`, or a message of `/mcp` or a batch of them, with the arguments of `exact`. */
const withArguments = (body: unknown, exact: unknown): unknown => {
  if (Array.isArray(body) && Array.isArray(exact)) {
    return body.map((message: unknown, index) => withArguments(message, exact[index]));
  }
  if (!Predicate.isReadonlyObject(body) || !Predicate.isReadonlyObject(exact)) return body;
  const args = Object.hasOwn(exact, "arguments") ? { arguments: exact["arguments"] } : {};
  const { params } = body;
  return Predicate.isReadonlyObject(params)
    ? { ...body, ...args, params: withArguments(params, exact["params"]) }
    : { ...body, ...args };
};

const notJson = invalid([{ path: "", message: "Expected a valid JSON body" }]);

const payloadOf = ({ payload }: HttpApiEndpoint.Top): Schema.Top | undefined => {
  const schemas = payload.get("application/json")?.schemas;
  if (schemas === undefined) return undefined;
  const [schema, ...more] = schemas;
  return more.length === 0 ? schema : Schema.Union(schemas);
};

/**
 * Compiles an endpoint to a function that decodes the parts of a request, or returns the response
 * that refuses them.
 */
export const compile = (endpoint: HttpApiEndpoint.Top) => {
  const annotations = Context.merge(Api.annotations, endpoint.annotations);
  const slot = (schema: Schema.Top | undefined, options: Options) =>
    schema === undefined ? null : decoder(schema, options);
  const slots = {
    params: slot(endpoint.params, undefined),
    headers: slot(endpoint.headers, undefined),
    query: slot(
      endpoint.query === undefined ? undefined : Schema.toCodecArrayFromSingle(endpoint.query),
      Context.getOrUndefined(annotations, HttpApi.QueryParseOptions),
    ),
    payload: slot(
      payloadOf(endpoint),
      Context.getOrUndefined(annotations, HttpApi.PayloadParseOptions),
    ),
  };

  const isCall = endpoint.path === "/mcp" || endpoint.path.endsWith("/tools/call");
  const judgeNames = StrictQuery.compile(endpoint);
  const judgeQuery = (query: Parts["query"]): Refused.Refused | null => {
    const errors = judgeNames(query);
    return errors.length === 0 ? null : invalid(errors);
  };

  return (parts: Parts): Result.Result<Decoded, Refused.Refused> => {
    const decoded: Decoded = {};
    const refusal =
      decode(decoded, "params", slots.params, parts.params) ??
      decode(decoded, "headers", slots.headers, parts.headers) ??
      judgeQuery(parts.query) ??
      decode(decoded, "query", slots.query, parts.query);
    if (refusal !== null) return Result.fail(refusal);
    if (slots.payload === null || parts.body === null) return Result.succeed(decoded);
    const payload = parse(parts.body, isCall);
    // JSON has no `undefined`, so the text could not be parsed.
    if (payload === undefined) return Result.fail(notJson);
    const refused = decode(decoded, "payload", slots.payload, payload, parts.body.values);
    return refused === null ? Result.succeed(decoded) : Result.fail(refused);
  };
};

const decode = (
  decoded: Decoded,
  name: keyof Decoded,
  decoder: Decoder | null,
  input: unknown,
  values = 0,
): Refused.Refused | null => {
  if (decoder === null) return null;
  const result = decoder(input, values);
  if (Result.isFailure(result)) return invalid(Input.errorsOf(result.failure));
  decoded[name] = result.success;
  return null;
};
