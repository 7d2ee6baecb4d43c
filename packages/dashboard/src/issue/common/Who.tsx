import { useName } from "../../data/live/names.ts";

/** The name of an actor in text: "You" for the user, the key's name for a key. */
export const Who = ({
  id,
  isInside = false,
}: {
  readonly id: string;
  /** Whether the name stands inside a sentence, in lower case. */
  readonly isInside?: boolean;
}) => {
  const { isMe, name } = useName(id);
  return (
    <b title={isMe ? name : id} dir="auto">
      {isMe ? (isInside ? "you" : "You") : name}
    </b>
  );
};
