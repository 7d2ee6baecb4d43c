import { getRouteApi } from "@tanstack/react-router";
import { Button } from "../parts/Button.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";

const route = getRouteApi("/work");

/** The placeholder of a list whose filters match nothing. */
export const NoneMatch = () => {
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <EmptyState
      icon="filter"
      title="No issues match"
      text="No issue matches all of these filters."
      command="quartermaster issue list"
      action={
        <Button onClick={() => void navigate({ search: { view } })}>Remove the filters</Button>
      }
    />
  );
};
