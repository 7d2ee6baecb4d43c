import { useState } from "react";
import { useDeleteWebhook, useReplay, useRotateSecret, type Webhook } from "../data/webhooks.ts";
import { Confirm } from "../parts/Confirm.tsx";
import { Field } from "../parts/Field.tsx";
import { SecretDialog } from "../parts/SecretDialog.tsx";
import { useToasts } from "../parts/toast.ts";

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export type WebhookDialog = "rotate" | "replay" | "delete";

/** A new secret, shown once. The earlier one signs for a day as well. */
const Rotate = ({ onClose, webhook: { id, name } }: Props) => {
  const request = useRotateSecret();
  if (request.data !== undefined) {
    return (
      <SecretDialog
        label="Secret"
        noun="secret"
        // Null for a repeated request.
        value={request.data.secret ?? ""}
        name={name}
        text="has a new secret. For 24 hours the earlier one signs as well."
        onClose={onClose}
      />
    );
  }
  return (
    <Confirm
      title={`Rotate the secret of ${name}`}
      action="Rotate"
      variant="primary"
      request={request}
      onConfirm={() => request.mutate(id)}
      onClose={onClose}
    >
      <p>Both secrets sign requests for 24 hours. Give the new one to the receiver in that time.</p>
    </Confirm>
  );
};

/** The value of `<input type="datetime-local">` a day ago, in the user's time zone. */
const yesterday = () => {
  const now = new Date();
  return new Date(now.getTime() - 86_400_000 - now.getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 16);
};

const Replay = ({ onClose, webhook: { id, name } }: Props) => {
  const { toast } = useToasts();
  const request = useReplay();
  const [from, setFrom] = useState(yesterday);
  const replay = () =>
    request.mutate(
      { webhookId: id, from: new Date(from).toISOString() },
      {
        onSuccess: ({ events }) => {
          toast(events === 1 ? "1 event is sent again" : `${events} events are sent again`, name);
          onClose();
        },
      },
    );
  return (
    <Confirm
      title={`Replay events to ${name}`}
      action="Replay"
      variant="primary"
      request={request}
      onConfirm={replay}
      onClose={onClose}
    >
      <Field
        label="From"
        type="datetime-local"
        hint="Sends retained events since then again, at most 10,000. Each keeps its id."
        required
        value={from}
        onValueChange={setFrom}
      />
    </Confirm>
  );
};

const Delete = ({ onClose, onDeleted, webhook }: Props & { readonly onDeleted: () => void }) => {
  const request = useDeleteWebhook();
  return (
    <Confirm
      title={`Delete the webhook ${webhook.name}`}
      action="Delete"
      request={request}
      onConfirm={() => request.mutate(webhook, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      <p>Nothing more is sent to it. Its deliveries and its secret are deleted.</p>
    </Confirm>
  );
};

/** The dialogs of a webhook. */
export const WebhookDialogs = ({
  dialog,
  ...props
}: Props & { readonly dialog: WebhookDialog; readonly onDeleted: () => void }) =>
  dialog === "rotate" ? (
    <Rotate {...props} />
  ) : dialog === "replay" ? (
    <Replay {...props} />
  ) : (
    <Delete {...props} />
  );
