import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useProjectNames } from "../data/issues/projects.ts";
import { useChangeWebhook, useTestWebhook, useWebhook } from "../data/webhooks.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { RelativeTime } from "../parts/RelativeTime.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { useToasts } from "../parts/toast.ts";
import { Deliveries } from "./Deliveries.tsx";
import type { WebhookDialog } from "./WebhookDialogs.tsx";
import { outcomeOf, stateOf, whyNot } from "./words.ts";
import styles from "./Webhooks.module.css";

const WebhookDialogs = lazily(() => import("./WebhookDialogs.tsx"), "WebhookDialogs");

const route = getRouteApi("/webhooks/$webhookId");
const section = "Webhook";

/** A webhook: its state, its test, its secret, and its deliveries. */
export const WebhookPage = () => {
  const { webhookId } = route.useParams();
  const [dialog, setDialog] = useState<WebhookDialog | null>(null);
  const isDeleting = dialog === "delete";
  const { data: webhook, error, isPending } = useWebhook(webhookId, isDeleting);
  const projectName = useProjectNames();
  const { toast } = useToasts();
  const navigate = useNavigate();
  const change = useChangeWebhook();
  const test = useTestWebhook();

  const isEnabled = webhook?.status === "enabled";
  const toggle = () =>
    change.mutate(
      { webhookId, status: isEnabled ? "disabled" : "enabled" },
      { onSuccess: ({ name }) => toast(`${name} ${isEnabled ? "paused" : "enabled"}`) },
    );
  const sendTest = () =>
    test.mutate(webhookId, {
      onSuccess: (delivery) =>
        toast(
          delivery.status === "delivered" ? "The test was delivered" : "The test failed",
          outcomeOf(delivery),
        ),
    });

  useCommands([
    { id: "test", title: "Send a test", section, icon: "play", keys: "t", run: sendTest },
    {
      id: "pause webhook",
      title: isEnabled ? "Pause the webhook" : "Enable the webhook",
      section,
      icon: isEnabled ? "pause" : "play",
      keys: "shift+p",
      run: toggle,
    },
    { id: "rotate", title: "Rotate the secret", section, run: () => setDialog("rotate") },
    { id: "replay", title: "Replay events", section, run: () => setDialog("replay") },
    { id: "delete", title: "Delete the webhook", section, run: () => setDialog("delete") },
  ]);

  const state = webhook === undefined ? null : stateOf(webhook);
  return (
    <>
      <ScreenHead
        title={webhook?.name ?? "Webhook"}
        path={<Link to="/webhooks">Webhooks</Link>}
        actions={
          webhook === undefined ? null : (
            <>
              <Button disabled={test.isPending} onClick={sendTest}>
                Send a test
              </Button>
              <Button disabled={change.isPending} onClick={toggle}>
                <Icon name={isEnabled ? "pause" : "play"} />
                {isEnabled ? "Pause" : "Enable"}
              </Button>
            </>
          )
        }
      >
        {state === null ? null : <Badge {...state} />}
      </ScreenHead>
      <div className={styles["page"]}>
        <ErrorNote error={error} />
        {isPending ? <Skeleton height={120} /> : null}
        {webhook === undefined ? null : (
          <>
            {whyNot(webhook) === "" ? null : <p role="status">{whyNot(webhook)}</p>}
            <dl className={styles["facts"]}>
              <dt>URL</dt>
              <dd>
                <code>{webhook.url}</code>
              </dd>
              <dt>Events</dt>
              <dd>{webhook.kinds.join(", ")}</dd>
              <dt>Project</dt>
              <dd>
                {webhook.projectId === null ? "All projects" : projectName(webhook.projectId)}
              </dd>
              <dt>Format</dt>
              <dd>{webhook.format === "text" ? "A sentence" : "JSON"}</dd>
              <dt>Secret</dt>
              <dd>
                set <RelativeTime iso={webhook.secretSetAt} prefix="Set" />
              </dd>
            </dl>
            <div className={styles["actions"]}>
              <Button onClick={() => setDialog("rotate")}>Rotate the secret</Button>
              <Button disabled={!isEnabled} onClick={() => setDialog("replay")}>
                Replay events
              </Button>
              <Button onClick={() => setDialog("delete")}>
                <Icon name="trash" />
                Delete
              </Button>
            </div>
            <Deliveries webhookId={webhookId} isDeleting={isDeleting} />
          </>
        )}
      </div>
      <Suspense fallback={<Opening />}>
        {webhook === undefined || dialog === null ? null : (
          <WebhookDialogs
            dialog={dialog}
            webhook={webhook}
            onClose={() => setDialog(null)}
            onDeleted={() => {
              toast(`${webhook.name} deleted`);
              void navigate({ to: "/webhooks" });
            }}
          />
        )}
      </Suspense>
    </>
  );
};
