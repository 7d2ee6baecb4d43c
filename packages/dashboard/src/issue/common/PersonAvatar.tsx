import { useName } from "../../data/live/names.ts";
import { Avatar } from "../../parts/Avatar.tsx";

/** The first letters of what a person is called. */
export const PersonAvatar = ({ id, size }: { readonly id: string; readonly size?: number }) => (
  <Avatar id={useName(id).name} {...(size === undefined ? {} : { size })} />
);
