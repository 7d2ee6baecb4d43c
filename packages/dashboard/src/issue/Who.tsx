import { useName } from "../data/names.ts";

/** A person, agent or the service, in text: "You" for the user, and a key by its name. */
export const Who = ({ id }: { readonly id: string }) => {
  const { isMe, name } = useName(id);
  return (
    <b title={isMe ? name : id} dir="auto">
      {isMe ? "You" : name}
    </b>
  );
};
