import { EmptyState } from "../parts/EmptyState.tsx";
import { useTitle } from "../parts/title.ts";

export const NotFound = () => {
  useTitle("Page not found");
  return (
    <EmptyState
      heading="h1"
      icon="search"
      title="This page does not exist"
      text="Check the URL, or choose a screen from the navigation."
    />
  );
};
