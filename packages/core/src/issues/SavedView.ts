import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { HostId, ServiceId } from "../Id.ts";
import * as Input from "../Input.ts";
import * as Text from "../Text.ts";
import { Timestamp } from "../Timestamp.ts";

/** The most saved views of a principal, and of a project. */
export const maxViews = 100;

const maxQuery = 2_048;
const name = Text.trimmedBetween(1, 64);
const query = Text.between(0, maxQuery);

const about = {
  name: "1 to 64 characters, trimmed. Several views may have the same name.",
  query: `The query of the list, such as \`status=Open&label=bug\`: at most ${maxQuery} characters, which the service does not read.`,
  projectId:
    "The project that the view is shared with; null for a view that only its creator sees.",
};

/** A list of issues that a person saved under a name. */
export const SavedView = Schema.Struct({
  id: ServiceId.annotateKey({ description: "The view's id, created by the service." }),
  name: Schema.String.annotateKey({ description: about.name }),
  query: Schema.String.annotateKey({ description: about.query }),
  projectId: Schema.NullOr(Schema.String).annotateKey({ description: about.projectId }),
  createdBy: Actor.annotateKey({ description: "The user, agent or key that created the view." }),
  createdAt: Timestamp.annotateKey({ description: "When the view was created." }),
  updatedAt: Timestamp.annotateKey({ description: "When the view last changed." }),
}).annotate({
  identifier: "SavedView",
  description: "A list of issues that is saved under a name.",
});
export interface SavedView extends Schema.Schema.Type<typeof SavedView> {}

/** The stored form. The storage assigns `seq`, its position in the order of creation. */
export interface SavedViewRow extends SavedView {
  readonly seq: number;
}

export const toSavedView = ({ seq: _, ...view }: SavedViewRow): SavedView => view;

/** The body that saves a view. */
export const SavedViewCreate = Schema.Struct({
  name: name.pipe(Schema.annotateEncoded({ description: about.name })),
  query: query.annotateKey({ description: about.query }),
  projectId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: `${about.projectId} Default: null.`,
  }),
}).annotate({
  identifier: "SavedViewCreate",
  description: "The body of a request that saves a view.",
});

/** The body that changes a view. Omitted fields do not change. */
export const SavedViewUpdate = Schema.Struct({
  name: Input.optional(name, { description: about.name }),
  query: Input.optional(query, { description: about.query }),
  projectId: Schema.optionalKey(Schema.NullOr(HostId)).annotateKey({
    description: about.projectId,
  }),
}).annotate({
  identifier: "SavedViewUpdate",
  description: "The body of a request that changes a view. Omitted fields do not change.",
});
