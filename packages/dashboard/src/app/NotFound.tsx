import { EmptyState } from "../parts/EmptyState.tsx";

export const NotFound = () => (
  <EmptyState
    icon="search"
    title="There is nothing at this address"
    text="Check the link, or open the inbox from the navigation."
  />
);
