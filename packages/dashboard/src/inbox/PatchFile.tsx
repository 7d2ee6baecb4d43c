import { useQuery } from "@tanstack/react-query";
import { type Attachment, useReadAttachment } from "../data/issues/upload.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Patch } from "../parts/Patch.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";

/** The largest patch that is shown, in bytes. */
const largest = 200_000;

/** Whether the file is a patch that is small enough to be shown. */
export const isPatch = ({ fileName, size }: Attachment): boolean =>
  /\.(diff|patch)$/i.test(fileName) && size <= largest;

/** A patch, line by line. */
export const PatchFile = ({ file: { fileName, id } }: { readonly file: Attachment }) => {
  const readAttachment = useReadAttachment();
  const { data, error } = useQuery({
    queryKey: ["patch", id],
    queryFn: async ({ signal }) => (await readAttachment(id, signal)).text(),
  });
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return <Skeleton height={90} />;
  return <Patch label={fileName} text={data} />;
};
