import { CoreOptions, Errors, Idempotency, Input } from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";
import { HttpServerRequest } from "effect/http";
import { HttpApiError } from "effect/http-api";
import * as Access from "../api/Access.ts";
import { HttpOptions } from "../HttpOptions.ts";
import { CurrentCaller } from "./Caller.ts";
import * as JsonBody from "./JsonBody.ts";
import * as MultipartBody from "./MultipartBody.ts";
import * as Refused from "./Refused.ts";

/** How many of a request's errors are told, and how much of the place of each. */
const most = { errors: 100, path: 200 };

/** What is wrong with a value of the request, place by place. */
const invalid = ({ cause }: HttpApiError.HttpApiSchemaError): Refused.Refused =>
  Refused.because(
    new Errors.InvalidRequest({
      errors: Input.errorsOf(cause.issue)
        .slice(0, most.errors)
        .map(({ message, path }) => ({ path: path.slice(0, most.path), message })),
    }),
  );

const keyRefused = Refused.because(
  Errors.InvalidRequest.at("idempotency-key", "is not taken here: send the request without it"),
);

const bodyRefused = Refused.because(
  Errors.InvalidRequest.at("", "Expected no body, or an empty object"),
);

/** Gives a request the text of its body, which has been read. */
const keepText = (request: HttpServerRequest.HttpServerRequest, text: string): void => {
  Object.defineProperty(request, "text", { value: Effect.succeed(text) });
};

/** Reads bodies under the rules that all endpoints share, and tells what is wrong with values. */
export const layer = Layer.effect(
  Access.Conventions,
  Effect.gen(function* () {
    const { maxJsonBytes } = yield* HttpOptions;
    const { maxAttachmentBytes } = yield* CoreOptions.CoreOptions;
    const readJson = JsonBody.reader(maxJsonBytes);

    return Access.Conventions.of((app, { endpoint }) => {
      const decoded = Effect.catch(app, (error) =>
        isRequestError(error) ? Effect.succeed(invalid(error)) : Effect.fail(error),
      );
      if (endpoint.method === "GET" || endpoint.method === "DELETE") return decoded;

      const idempotency = Context.get(endpoint.annotations, Access.IdempotencyKey);
      const takesBody = endpoint.payload.size > 0;
      const isMultipart = endpoint.payload.has("multipart/form-data");

      return Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest);
        const key = request.headers["idempotency-key"];
        return Effect.matchEffect(
          isMultipart ? MultipartBody.check(request, maxAttachmentBytes) : readJson(request),
          {
            onFailure: Effect.succeed,
            onSuccess: (body) => {
              const text = body === "" ? "{}" : body;
              if (key !== undefined && idempotency === "refused") return Effect.succeed(keyRefused);
              if (!takesBody && !/^\s*\{\s*\}\s*$/.test(text)) return Effect.succeed(bodyRefused);
              if (!isMultipart) keepText(request, text);
              const caller = fiber.getRef(CurrentCaller);
              return key !== undefined && idempotency === "honoured" && caller !== null
                ? Effect.provideService(decoded, Idempotency.CurrentRequest, {
                    keyId: caller.keyId,
                    idempotencyKey: key,
                    content: `${request.method} ${request.url}\n${text}`,
                  })
                : decoded;
            },
          },
        );
      });
    });
  }),
);

/** What is wrong with the request; an answer that does not fit its schema is a defect. */
const isRequestError = <E>(error: E): error is E & HttpApiError.HttpApiSchemaError =>
  HttpApiError.HttpApiSchemaError.is(error) &&
  error.kind !== "Body" &&
  error.kind !== "ResponseHeaders";
