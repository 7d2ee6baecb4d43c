import type { Actor } from "@quartermaster/client";
import { Effect } from "effect";
import * as Api from "./Api.ts";
import * as Look from "./Look.ts";

/** The names of people, keys and agents. */

/** An actor in words. */
export type NameOf = (actor: Actor) => string;

/** An actor for programs, such as `agent ada`. */
export const plain: NameOf = ({ id, type }) => `${type.toLowerCase()} ${id}`;

/** The most names of one request. */
const most = 100;

const isKey = ({ id, type }: Actor): boolean => type === "User" && id.startsWith("key_");

/** The names of actors on a terminal: `you`, and the name of a key instead of its id. Elsewhere `plain`. */
export const of = Effect.fnUntraced(function* (
  access: Api.Access,
  { json }: { readonly json: boolean },
  actors: ReadonlyArray<Actor>,
) {
  const { isTerminal } = yield* Look.ofStdout;
  if (json || !isTerminal) return plain;
  const ids = [...new Set(actors.filter(isKey).map(({ id }) => id))].slice(0, most);
  const [{ principal }, named] = yield* Api.call(access, (client, options) =>
    Promise.all([
      client.session.get({}, options),
      ids.length === 0 ? [] : client.keys.names({ id: ids }, options),
    ]),
  );
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const nameOf: NameOf = (actor) => {
    const { id, type } = actor;
    if (type === principal.type && id === principal.id) return "you";
    return type === "User" ? (names.get(id) ?? id) : plain(actor);
  };
  return nameOf;
});
