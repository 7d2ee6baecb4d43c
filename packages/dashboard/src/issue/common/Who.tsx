import { useName } from "../../data/live/names.ts";

/** A person, agent or the service, in text: "You" for the user, and a key by its name. */
export const Who = ({
  id,
  isInside = false,
}: {
  readonly id: string;
  /** Whether it is not the first word. */
  readonly isInside?: boolean;
}) => {
  const { isMe, name } = useName(id);
  return (
    <b title={isMe ? name : id} dir="auto">
      {isMe ? (isInside ? "you" : "You") : name}
    </b>
  );
};
