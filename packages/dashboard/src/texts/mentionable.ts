import { useQuery } from "@tanstack/react-query";
import { useAgents } from "../data/agents.ts";
import { peopleAround } from "../data/issues/people.ts";
import { useData } from "../data/live/data.ts";
import { useNames } from "../data/live/names.ts";

/** An agent or a person that a text can mention. */
export interface Mentionable {
  readonly id: string;
  readonly name: string;
  readonly isAgent: boolean;
}

const most = 8;

/** The agents, and the people around the issue except the user. Reads them when `isNeeded` is true first. */
export const useMentionable = (issueId: string, isNeeded: boolean): ReadonlyArray<Mentionable> => {
  const data = useData();
  const { data: agents = [] } = useAgents({ enabled: isNeeded });
  const { data: people = [] } = useQuery({ ...peopleAround(data, issueId), enabled: isNeeded });
  const names = useNames(isNeeded ? people : []);
  return [
    ...people.flatMap((id) => {
      const { isMe = false, name = id } = names.get(id) ?? {};
      return isMe ? [] : [{ id, name, isAgent: false }];
    }),
    ...agents
      .filter(({ id }) => /^[A-Za-z0-9](?:.*[A-Za-z0-9])?$/.test(id))
      .map(({ id, name }) => ({ id, name, isAgent: true })),
  ];
};

/** The first matches: names and ids that start with the text, then names and ids that contain it. */
export const suggestionsOf = (
  everyone: ReadonlyArray<Mentionable>,
  typed: string,
): ReadonlyArray<Mentionable> => {
  const text = typed.toLowerCase();
  const places = everyone.map((one) => {
    const found = [one.id, one.name]
      .map((name) => name.toLowerCase().indexOf(text))
      .filter((place) => place >= 0);
    return { one, place: Math.min(1, ...found), isFound: found.length > 0 };
  });
  return places
    .filter(({ isFound }) => isFound)
    .toSorted((a, b) => a.place - b.place)
    .slice(0, most)
    .map(({ one }) => one);
};
