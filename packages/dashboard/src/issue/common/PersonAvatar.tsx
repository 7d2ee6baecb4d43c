import { useName } from "../../data/live/names.ts";
import { Avatar } from "../../parts/Avatar.tsx";

/** An avatar with the initials of the person's display name. */
export const PersonAvatar = ({ id, size }: { readonly id: string; readonly size?: number }) => (
  <Avatar id={useName(id).name} {...(size === undefined ? {} : { size })} />
);
