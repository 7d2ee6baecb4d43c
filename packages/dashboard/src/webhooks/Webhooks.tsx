import { Suspense, useState } from "react";
import { useMayEverywhere } from "../data/live/session.ts";
import { useWebhooks, type Webhook } from "../data/webhooks.ts";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { ScreenList } from "../parts/ScreenList.tsx";
import { useSteps } from "../parts/steps.ts";
import { WebhookRow } from "./WebhookRow.tsx";
import styles from "./Webhooks.module.css";

const CreateWebhook = lazily(() => import("./CreateWebhook.tsx"), "CreateWebhook");

const keyOf = ({ id }: Webhook) => id;
const row = (webhook: Webhook) => <WebhookRow webhook={webhook} />;

/** The webhooks, with their state and their last delivery. */
export const Webhooks = () => {
  const may = useMayEverywhere("Admin");
  return may ? (
    <List />
  ) : (
    <>
      <ScreenHead title="Webhooks" />
      <EmptyState
        icon="bell"
        title="Webhooks are managed by Admins"
        text="Sign in as an Admin that is bound to no project to see them."
      />
    </>
  );
};

const List = () => {
  const { data: webhooks = [], error, isPending } = useWebhooks();
  const [isCreating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useSteps("[data-item]", "webhook");
  useCommands([
    {
      id: "new webhook",
      title: "New webhook",
      section: "Webhooks",
      icon: "plus",
      keys: "n",
      run: create,
    },
  ]);
  const button = (
    <Button variant="primary" onClick={create}>
      <Icon name="plus" />
      New webhook
    </Button>
  );
  return (
    <>
      <ScreenHead title="Webhooks" count={webhooks.length || undefined} actions={button} />
      <ScreenList
        className={styles["list"]}
        label="Webhooks"
        heads={["Webhook", "Events", "Last delivery"]}
        items={webhooks}
        keyOf={keyOf}
        height={53}
        row={row}
        isPending={isPending}
        error={error}
        empty={
          <EmptyState
            icon="bell"
            title="No webhooks yet"
            text="A webhook sends events to another program, or to Slack and Mattermost as a sentence."
            command="quartermaster webhook create Chat https://example.com/hook --kinds attention"
            action={button}
          />
        }
      />
      <Suspense fallback={<Opening />}>
        {isCreating ? <CreateWebhook onClose={() => setCreating(false)} /> : null}
      </Suspense>
    </>
  );
};
