import type {
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  WebhookReplay,
  WebhookUpdate,
} from "@quartermaster/client";
import { queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { type Data, useData } from "./live/data.ts";
import { pagesOf, showsFailure } from "./live/query.ts";

export type { Webhook, WebhookDelivery } from "@quartermaster/client";

export const deliveryStatuses = ["pending", "delivered", "failed", "skipped"] as const;
export type DeliveryStatus = WebhookDelivery["status"];

/** Deliveries emit no event. */
const pollMillis = 5_000;

const webhooks = ({ api }: Data) =>
  queryOptions({
    queryKey: ["webhooks"],
    queryFn: ({ signal }) => api.webhooks.list({}, { signal }),
    refetchInterval: pollMillis,
  });

/** The webhooks, oldest first. */
export const useWebhooks = () => useQuery(webhooks(useData()));

/** A webhook. It is not read again while `isDeleting`. */
export const useWebhook = (webhookId: string, isDeleting: boolean) => {
  const { api } = useData();
  return useQuery({
    enabled: !isDeleting,
    queryKey: ["webhooks", webhookId],
    queryFn: ({ signal }) => api.webhooks.get({ webhookId }, { signal }),
    refetchInterval: pollMillis,
  });
};

/** The deliveries of a webhook, newest first, page by page. They are not read again while `isDeleting`. */
export const useDeliveries = (
  webhookId: string,
  isDeleting: boolean,
  filter: { readonly status?: DeliveryStatus | undefined; readonly eventId?: string | undefined },
) => {
  const { api } = useData();
  return useInfiniteQuery({
    ...pagesOf(["webhooks", webhookId, "deliveries", filter], (cursor, signal) =>
      api.webhooks.deliveries({ webhookId, ...filter, limit: 100, cursor }, { signal }).page(),
    ),
    enabled: !isDeleting,
    refetchInterval: pollMillis,
  });
};

/** `meta` says who shows a failure: the shell, or the calling dialog with `showsFailure`. */
const useChange = <Input, Output>(
  change: (data: Data, input: Input) => Promise<Output>,
  meta: Readonly<Record<string, unknown>> = {},
) => {
  const data = useData();
  return useMutation({
    meta,
    mutationFn: (input: Input) => change(data, input),
    onSettled: () => void data.queries.invalidateQueries({ queryKey: ["webhooks"] }),
    // Drops a response with a secret as soon as the dialog closes.
    gcTime: 0,
  });
};

export const useCreateWebhook = () =>
  useChange(({ api }, input: WebhookCreate) => api.webhooks.create(input), showsFailure);

export const useChangeWebhook = () =>
  useChange(({ api }, input: { readonly webhookId: string } & WebhookUpdate) =>
    api.webhooks.update(input),
  );

export const useTestWebhook = () =>
  useChange(({ api }, webhookId: string) => api.webhooks.test({ webhookId }));

export const useRotateSecret = () =>
  useChange(({ api }, webhookId: string) => api.webhooks.rotate({ webhookId }), showsFailure);

export const useRetryDelivery = () =>
  useChange(({ api }, { id, webhookId }: Pick<WebhookDelivery, "id" | "webhookId">) =>
    api.webhooks.retry({ webhookId, deliveryId: id }),
  );

export const useReplay = () =>
  useChange(
    ({ api }, input: { readonly webhookId: string } & WebhookReplay) => api.webhooks.replay(input),
    showsFailure,
  );

export const useDeleteWebhook = () =>
  useChange(
    ({ api }, { id }: Pick<Webhook, "id">) => api.webhooks.delete({ webhookId: id }),
    showsFailure,
  );
