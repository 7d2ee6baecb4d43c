import { useState } from "react";
import { useDeleteWebhook, useReplay, useRotateSecret, type Webhook } from "../data/webhooks.ts";
import { Button } from "../parts/Button.tsx";
import { Dialog, DialogFoot } from "../parts/Dialog.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Field } from "../parts/Field.tsx";
import { useToasts } from "../parts/toast.ts";
import { NewSecret } from "./NewSecret.tsx";
import styles from "./Webhooks.module.css";

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export type WebhookDialog = "rotate" | "replay" | "delete";

/** A new secret, shown once. The earlier one signs for a day as well. */
const Rotate = ({ onClose, webhook: { id, name } }: Props) => {
  const { data, error, isPending, mutate } = useRotateSecret();
  if (data !== undefined) {
    return (
      <NewSecret
        name={name}
        secret={data.secret}
        text="has a new secret. For 24 hours the earlier one signs as well."
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Rotate the secret of ${name}`}
      onSubmit={() => mutate(id)}
    >
      <p className={styles["note"]}>
        Both secrets sign requests for 24 hours. Give the new one to the receiver in that time.
      </p>
      <ErrorNote error={error} />
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isPending}>
          Rotate
        </Button>
      </DialogFoot>
    </Dialog>
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
  const { error, isPending, mutate } = useReplay();
  const [from, setFrom] = useState(yesterday);
  const submit = () =>
    mutate(
      { webhookId: id, from: new Date(from).toISOString() },
      {
        onSuccess: ({ events }) => {
          toast(events === 1 ? "1 event is sent again" : `${events} events are sent again`, name);
          onClose();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={`Replay events to ${name}`} onSubmit={submit}>
      <Field
        label="From"
        type="datetime-local"
        hint="Sends retained events since then again, at most 10,000. Each keeps its id."
        required
        value={from}
        onValueChange={setFrom}
      />
      <ErrorNote error={error} />
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={isPending}>
          Replay
        </Button>
      </DialogFoot>
    </Dialog>
  );
};

const Delete = ({ onClose, onDeleted, webhook }: Props & { readonly onDeleted: () => void }) => {
  const { error, isPending, mutate } = useDeleteWebhook();
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete the webhook ${webhook.name}`}
      onSubmit={() => mutate(webhook, { onSuccess: onDeleted })}
    >
      <p className={styles["note"]}>
        Nothing more is sent to it. Its deliveries and its secret are deleted.
      </p>
      <ErrorNote error={error} />
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="danger" disabled={isPending}>
          Delete
        </Button>
      </DialogFoot>
    </Dialog>
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
