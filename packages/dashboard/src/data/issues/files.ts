import { isProblem } from "@quartermaster/client";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { type Data, useData } from "../live/data.ts";

/** The contents of attachments, as far as the page shows them. */

/** The types that a browser draws without running anything. */
const drawn = /^image\/(png|jpeg|gif|webp|avif)$/;

const largestPicture = 10_000_000;

/** The bytes of the first part of a file, and of the next ones. A part takes one request. */
const firstPart = 65_536;
const nextPart = 262_144;

/** The bytes of a file that are shown at most. */
export const mostShown = 2 * 1024 * 1024;

export interface FilePart {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly from: number;
  /** The size of the whole file. */
  readonly size: number;
}

const typeOf = (response: Response): string =>
  (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

const emptyFile: FilePart = { contentType: "", bytes: new Uint8Array(), from: 0, size: 0 };

const parts = ({ api }: Data, attachmentId: string, knownSize: number | undefined) =>
  infiniteQueryOptions({
    queryKey: ["file", attachmentId],
    staleTime: Infinity,
    initialPageParam: 0,
    queryFn: async ({ pageParam: from, signal }): Promise<FilePart> => {
      // An empty file has no range.
      if (knownSize === 0) return emptyFile;
      const until = from + (from === 0 ? firstPart : nextPart) - 1;
      const headers = { range: `bytes=${from}-${until}` };
      try {
        const response = await api.attachments.download({ attachmentId }, { signal, headers });
        const bytes = new Uint8Array(await response.arrayBuffer());
        const [, size] = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
        return { contentType: typeOf(response), bytes, from, size: Number(size ?? bytes.length) };
      } catch (error) {
        if (isProblem(error) && error.status === 416) return emptyFile;
        throw error;
      }
    },
    getNextPageParam: ({ bytes, from, size }: FilePart) => {
      const end = from + bytes.length;
      return end < Math.min(size, mostShown) ? end : undefined;
    },
  });

/** The first 64 KiB of a file, and 256 KiB more with each next page. Its size may be unknown. */
export const useFileParts = (attachmentId: string, size: number | undefined) =>
  useInfiniteQuery(parts(useData(), attachmentId, size));

/** Reads a picture of up to 10 MB; null for any other file. */
const useReadPicture = () => {
  const { api } = useData();
  return useCallback(
    async (attachmentId: string, signal: AbortSignal): Promise<Blob | null> => {
      const response = await api.attachments.download({ attachmentId }, { signal });
      const size = Number(response.headers.get("content-length") ?? Infinity);
      if (drawn.test(typeOf(response)) && size <= largestPicture) return response.blob();
      await response.body?.cancel();
      return null;
    },
    [api],
  );
};

/** The object URL of a picture: undefined until it is loaded, null for a file that is not a small picture. */
export const usePicture = (attachmentId: string, isWanted: boolean): string | null | undefined => {
  const [url, setUrl] = useState<string | null | undefined>(isWanted ? undefined : null);
  const readPicture = useReadPicture();
  useEffect(() => {
    if (!isWanted) return undefined;
    const cancel = new AbortController();
    let made: string | null = null;
    readPicture(attachmentId, cancel.signal).then(
      (blob) => {
        if (cancel.signal.aborted) return;
        made = blob === null ? null : URL.createObjectURL(blob);
        setUrl(made);
      },
      () => {
        if (!cancel.signal.aborted) setUrl(null);
      },
    );
    return () => {
      cancel.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [attachmentId, isWanted, readPicture]);
  return url;
};

/** Whether the browser draws a file of this type. */
export const isDrawn = (contentType: string): boolean => drawn.test(contentType);
