import { RunLogs, RunRecords } from "@quartermaster/core";
import { Effect, Stream } from "effect";
import { type HttpServerRequest, HttpServerResponse } from "effect/http";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "./Handlers.ts";

/** Whether the caller prefers text: JSON is the default. */
const wantsText = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /^\s*text\/plain\b/i.test(headers["accept"] ?? "");

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const logs = yield* RunLogs.RunLogs;
    const records = yield* RunRecords.RunRecords;

    return Handlers.of("runs", {
      list: ({ query }) => Reply.page(query, (page) => records.list(page)),
      get: ({ params }) => Reply.ok(records.get(params.runId)),
      timeline: ({ params, query }) =>
        Reply.page(query, (page) => records.timeline(params.agentId, params.runId, page)),
      writeLog: ({ params, payload }) =>
        Reply.ok(logs.append(params.agentId, params.runId, payload)),
      readLog: ({ params: { agentId, runId }, query, request }) =>
        wantsText(request)
          ? Effect.map(logs.text(agentId, runId, query), (text) =>
              HttpServerResponse.stream(Stream.encodeText(text), {
                contentType: "text/plain; charset=utf-8",
              }),
            )
          : Reply.ok(logs.read(agentId, runId, query)),
    });
  }),
);
