import { useQueries } from "@tanstack/react-query";
import { type Data, useStore } from "./data.ts";
import { useSession } from "./session.ts";

/** The display names of actors. A key without a user acts under its own id, so its name has to be read. */

const isKey = (id: string) => /^key_[0-9A-Z]{26}$/.test(id);

/** Reads names of keys. All reads within one tick share a request. */
const nameReader = ({ api }: Data) => {
  /** The batch that is not sent yet. */
  let next: {
    readonly ids: Set<string>;
    readonly names: Promise<ReadonlyMap<string, string>>;
  } | null = null;
  const batch = () => {
    if (next !== null && next.ids.size < 100) return next;
    const ids = new Set<string>();
    const names = new Promise<void>((resolve) => setTimeout(resolve)).then(async () => {
      if (next?.ids === ids) next = null;
      return new Map((await api.keys.names({ id: [...ids] })).map(({ id, name }) => [id, name]));
    });
    next = { ids, names };
    return next;
  };
  /** Returns the name of a key; null for a deleted one. */
  return async (id: string): Promise<string | null> => {
    const { ids, names } = batch();
    ids.add(id);
    return (await names).get(id) ?? null;
  };
};

const textOf = (id: string, name: string | null | undefined, isRead: boolean): string => {
  if (id === "quartermaster") return "Quartermaster";
  if (!isKey(id)) return id;
  if (!isRead) return "…";
  return name ?? `Deleted key …${id.slice(-5)}`;
};

/** Reads the display name of a person, a key or an agent. */
export const nameOf = async (
  { session, store }: Data,
  id: string,
): Promise<{ readonly name: string; readonly isMe: boolean }> => {
  const now = session.current();
  const name = isKey(id) ? await store(nameReader)(id).catch(() => null) : id;
  return { name: textOf(id, name, true), isMe: "principal" in now && now.principal.id === id };
};

/** The display names of people, keys and agents. `isMe` marks the signed-in user. */
export const useNames = (
  ids: ReadonlyArray<string>,
): ReadonlyMap<string, { readonly name: string; readonly isMe: boolean }> => {
  const read = useStore(nameReader);
  const session = useSession();
  const me = "principal" in session ? session.principal.id : null;
  const results = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["name", id],
      queryFn: () => read(id),
      enabled: isKey(id),
    })),
  });
  return new Map(
    ids.map((id, index) => {
      const result = results[index];
      const name = result?.isError === true ? `Key …${id.slice(-5)}` : result?.data;
      return [id, { name: textOf(id, name, result?.isPending === false), isMe: id === me }];
    }),
  );
};

export const useName = (id: string): { readonly name: string; readonly isMe: boolean } =>
  useNames([id]).get(id) ?? { name: id, isMe: false };

/** The display names of people for a list of choices. If two people share a name, both show their ids. */
export const useLabels = (ids: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const names = useNames(ids);
  const labels = ids.map((id) => {
    const { isMe, name } = names.get(id) ?? { name: id, isMe: false };
    return isMe ? `Me (${name})` : name;
  });
  return new Map(
    ids.map((id, index) => {
      const label = labels[index] ?? id;
      return [id, labels.filter((other) => other === label).length > 1 ? id : label];
    }),
  );
};
