import type { Attachment, FetchInit } from "@quartermaster/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { useData } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { fresh, issueKey } from "./issueStore.ts";

export type { Attachment } from "@quartermaster/client";

/** A file that is uploading or that failed to upload. */
export interface Sending {
  readonly id: number;
  readonly file: File;
  /** The uploaded part, from 0 to 1. */
  readonly progress: number;
  readonly error: Error | null;
}

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(":");
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  return headers;
};

/** Sends a request over XMLHttpRequest, because `fetch` does not report upload progress. */
const overXhr =
  (onProgress: (part: number) => void) =>
  (to: string, { body, headers, method, signal }: FetchInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, to);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onProgress(loaded / total);
      });
      request.addEventListener("load", () =>
        resolve(
          new Response(request.status === 204 ? null : request.responseText, {
            status: request.status,
            headers: headersOf(request),
          }),
        ),
      );
      request.addEventListener("error", () => reject(new TypeError("The connection was lost.")));
      request.addEventListener("abort", () => reject(signal?.reason ?? new Error("Canceled.")));
      signal?.addEventListener("abort", () => request.abort());
      // The client sends multipart forms, never streams.
      request.send(body as XMLHttpRequestBodyInit);
    });

const keyOf = (issueId: string) => [...issueKey(issueId), "attachments"];

/** The 500 newest attachments of an issue, oldest first. */
export const useAttachments = (issueId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: keyOf(issueId),
    ...fresh,
    queryFn: async ({ signal }) =>
      (
        await api.attachments.list({ issueId, order: "desc", limit: 500 }, { signal }).page()
      ).items.toReversed(),
  });
};

/**
 * The uploads of an issue, with a function that starts more. A failed file stays until it is retried or
 * removed. `onUploaded` is called with each attachment.
 */
export const useUploads = (
  issueId: string,
  onUploaded: (attachment: Attachment) => void = () => {},
) => {
  const { clientOver, queries } = useData();
  const [sending, setSending] = useState<ReadonlyArray<Sending>>([]);
  const cancels = useRef(new Map<number, AbortController>());
  const count = useRef(0);
  const change = (id: number, fields: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  const drop = (id: number) => {
    cancels.current.get(id)?.abort();
    cancels.current.delete(id);
    setSending((all) => all.filter((one) => one.id !== id));
  };
  const { mutate } = useMutation({
    meta: showsFailure,
    mutationFn: ({ file, id }: { readonly id: number; readonly file: File }) => {
      const cancel = new AbortController();
      cancels.current.set(id, cancel);
      const client = clientOver(overXhr((progress) => change(id, { progress })));
      return client.attachments.upload({ issueId, file }, { signal: cancel.signal });
    },
    onSuccess: async (attachment, { id }) => {
      onUploaded(attachment);
      await queries.invalidateQueries({ queryKey: keyOf(issueId) });
      drop(id);
    },
    onError: (error, { id }) => change(id, { error }),
  });
  const send = (files: Iterable<File>) => {
    for (const file of files) {
      const id = ++count.current;
      setSending((all) => [...all, { id, file, progress: 0, error: null }]);
      mutate({ id, file });
    }
  };
  const again = ({ file, id }: Sending) => {
    change(id, { progress: 0, error: null });
    mutate({ id, file });
  };
  return { sending, send, again, drop };
};

export const useDetach = (issueId: string) => {
  const { api, queries } = useData();
  return useMutation({
    mutationFn: (attachmentId: string) => api.attachments.delete({ attachmentId }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(issueId) }),
  });
};

/** Downloads the bytes of an attachment. */
export const useReadAttachment = () => {
  const { api } = useData();
  return useCallback(
    async (attachmentId: string, signal: AbortSignal): Promise<Blob> =>
      (await api.attachments.download({ attachmentId }, { signal })).blob(),
    [api],
  );
};
