import { Button } from "../parts/Button.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";

/** The screen if no project has an issue. */
export const NoIssues = ({ onCreate }: { readonly onCreate: (() => void) | null }) => (
  <EmptyState
    icon="issue"
    title="No issues yet"
    text="An issue is a task for an agent. Create one here, or from the command line."
    command={'quartermaster issue create --project demo --agent agent-1 "Say hello"'}
    action={
      onCreate === null ? null : (
        <Button variant="primary" onClick={onCreate}>
          New issue
        </Button>
      )
    }
  />
);
