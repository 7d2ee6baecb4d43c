import { Button } from "./Button.tsx";

/** A button that loads the next page of a list. Renders nothing on the last page. */
export const ShowMore = ({
  list: { fetchNextPage, hasNextPage, isFetchingNextPage },
  text,
}: {
  readonly list: {
    readonly fetchNextPage: () => Promise<unknown>;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
  };
  readonly text: string;
}) =>
  hasNextPage ? (
    <Button
      small
      variant="quiet"
      disabled={isFetchingNextPage}
      onClick={() => void fetchNextPage()}
    >
      {text}
    </Button>
  ) : null;
