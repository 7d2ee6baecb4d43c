import { useIssue } from "../data/issues/issue.ts";
import { Folded } from "./Folded.tsx";

/** The description of the issue. */
export const Description = ({ issueId }: { readonly issueId: string }) => {
  const description = useIssue(issueId).data?.description ?? null;
  return description === null ? null : <Folded heading="Description" text={description} />;
};
