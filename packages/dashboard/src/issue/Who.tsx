import { useSession } from "../data/session.ts";

/** A person, agent or the service, in text: "You" for the user, and the id of a key is shortened. */
export const Who = ({ id }: { readonly id: string }) => {
  const session = useSession();
  const isMe = "principal" in session && session.principal.id === id;
  const text = /^key_[0-9A-Z]{26}$/.test(id) ? `key …${id.slice(-5)}` : id;
  return <b title={id}>{isMe ? "You" : text}</b>;
};
