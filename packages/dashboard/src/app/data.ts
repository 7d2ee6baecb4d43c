import { followChanges } from "../data/changes.ts";
import { makeAccount } from "../data/live/account.ts";
import { makeClient } from "../data/live/client.ts";
import { type Data, makeData } from "../data/live/data.ts";
import { makeEventStream } from "../data/live/live.ts";
import { makeQueries } from "../data/live/query.ts";
import { makeSession } from "../data/live/sessionStore.ts";

/** The data of the server at this URL. Events update it once the stream is started. */
export const dataOf = (base: string, onFailedChange: (error: unknown) => void): Data => {
  const session = makeSession();
  const client = makeClient(base, session);
  const data = makeData({
    base,
    session,
    account: makeAccount(base, session, client),
    api: client.api,
    clientOver: client.clientOver,
    stream: makeEventStream(`quartermaster ${base}`, client.observed),
    queries: makeQueries(onFailedChange),
  });
  followChanges(data);
  return data;
};
