import { EmptyState } from "../parts/EmptyState.tsx";

export const NotFound = () => (
  <EmptyState
    heading="h1"
    icon="search"
    title="This page does not exist"
    text="Check the URL, or choose a screen from the navigation."
  />
);
