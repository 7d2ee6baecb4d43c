import { followChanges } from "../data/changes.ts";
import { makeAccount } from "../data/live/account.ts";
import { makeClient } from "../data/live/client.ts";
import { type Data, makeData } from "../data/live/data.ts";
import { makeEventStream } from "../data/live/live.ts";
import { makeQueries } from "../data/live/query.ts";
import { makeSession } from "../data/live/sessionStore.ts";

/** Calls back for changes of the user: refusals, and warnings about changes that were saved. */
export interface Notices {
  readonly failed: (error: unknown) => void;
  readonly warned: (warning: string) => void;
}

/** The data of the server at this URL. Events update it once the stream is started. */
export const dataOf = (base: string, { failed, warned }: Notices): Data => {
  const session = makeSession();
  const client = makeClient(base, session);
  const data = makeData({
    base,
    session,
    account: makeAccount(base, session, client),
    api: client.api,
    clientOver: client.clientOver,
    setLeaving: client.setLeaving,
    stream: makeEventStream(`quartermaster ${base}`, client.observed),
    queries: makeQueries(failed),
    warn: ({ warnings }) => {
      for (const warning of warnings) warned(warning);
    },
  });
  followChanges(data);
  return data;
};
