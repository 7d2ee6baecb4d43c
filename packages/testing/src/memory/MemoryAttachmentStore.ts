import { AttachmentStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

export const layer = Layer.effect(
  AttachmentStore.AttachmentStore,
  Effect.map(Database, (database) =>
    AttachmentStore.AttachmentStore.of({
      insert: (attachment) =>
        database.write(({ attachments }) => {
          const row = { ...attachment, seq: database.nextSeq() };
          attachments.set(row.id, row);
          return row;
        }),
      remove: (attachmentId) =>
        database.write(({ attachments, discarded }) => {
          if (attachments.get(attachmentId) !== undefined) {
            attachments.delete(attachmentId);
            discarded.set(attachmentId, true);
          }
        }),
      get: (attachmentId) =>
        database.read(({ attachments }) => Option.fromNullishOr(attachments.get(attachmentId))),
      list: (issueId, slice) =>
        database.read(({ attachments }) =>
          Rows.slice(attachments.values(), slice, (row) => row.issueId === issueId),
        ),
      discarded: (limit) =>
        database.read(({ discarded }) =>
          Array.from(discarded.entries(), ([id]) => id).slice(0, limit),
        ),
      forget: (attachmentIds) =>
        database.write(({ discarded }) => {
          for (const id of attachmentIds) {
            discarded.delete(id);
          }
        }),
    }),
  ),
);
