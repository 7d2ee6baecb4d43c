import { useQuestions } from "../../data/issues/questions.ts";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { QuestionCard } from "./QuestionCard.tsx";

/** The open questions of the issue. The stream shows answers as comments. */
export const Questions = ({
  canEdit,
  issueId,
}: {
  readonly issueId: string;
  readonly canEdit: boolean;
}) => {
  const { data, error } = useQuestions(issueId);
  if (data === undefined) return error === null ? null : <ErrorNote error={error} />;
  return data
    .filter(({ status }) => status === "open")
    .toReversed()
    .map((question) => <QuestionCard key={question.id} question={question} canEdit={canEdit} />);
};
