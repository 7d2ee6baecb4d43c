// The one file that knows Effect: it opens Quartermaster and offers what this program needs of it
// as methods that answer promises. A refusal rejects with the error of `Errors` that says why.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto";
import {
  Core,
  type Event,
  EventLog,
  type Heartbeat,
  type Issue,
  type IssueLink,
  Issues,
  Links,
  MasterKeys,
  Principal,
  Runs,
} from "@quartermaster/core";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect, Layer, ManagedRuntime, Redacted, Stream } from "effect";

export interface Options {
  readonly dataDir: string;
  /** 32 bytes. Keep them: what is kept under them can be read with no others. */
  readonly masterKey: Uint8Array;
  /** On whose behalf all calls are made. */
  readonly userId: string;
}

export interface Quartermaster {
  createIssue(projectId: string, input: typeof Issue.IssueCreate.Encoded): Promise<Issue.Issue>;
  getIssue(issueId: string): Promise<Issue.Issue>;
  closeIssue(issueId: string, options?: { readonly force: boolean }): Promise<Issue.Issue>;
  link(issueId: string, input: typeof IssueLink.LinkCreate.Encoded): Promise<IssueLink.IssueLink>;
  heartbeat(
    agentId: string,
    input?: typeof Heartbeat.Heartbeat.Encoded,
  ): Promise<Heartbeat.HeartbeatAnswer>;
  turn(agentId: string, runId: string): Promise<Heartbeat.TurnAnswer>;
  finish(
    agentId: string,
    runId: string,
    input: typeof Heartbeat.Finish.Encoded,
  ): Promise<Issue.Issue>;
  /** Events from the moment it resolves. Leaving the `for await` ends the subscription. */
  events(projectId: string): Promise<AsyncIterable<Event.Event>>;
  /** Ends what still runs, and closes the database. */
  close(): Promise<void>;
}

export const open = ({ dataDir, masterKey, userId }: Options): Quartermaster => {
  const ports = Layer.mergeAll(
    Storage.layer({ dataDir }),
    MasterKeys.MasterKeys.layer([Redacted.make(masterKey)]),
  );
  const principal = Layer.succeed(Principal.CurrentPrincipal, Principal.user(userId));
  const runtime = ManagedRuntime.make(
    Core.layer.pipe(Layer.provide(ports), Layer.merge(principal), Layer.provide(NodeCrypto.layer)),
  );
  const run = runtime.runPromise;

  return {
    createIssue: (projectId, input) =>
      run(Issues.Issues.use((issues) => issues.create(projectId, input))),
    getIssue: (issueId) => run(Issues.Issues.use((issues) => issues.get(issueId))),
    closeIssue: (issueId, options) =>
      run(Issues.Issues.use((issues) => issues.close(issueId, options))),
    link: (issueId, input) => run(Links.Links.use((links) => links.create(issueId, input))),
    heartbeat: (agentId, input) => run(Runs.Runs.use((runs) => runs.heartbeat(agentId, input))),
    turn: (agentId, runId) => run(Runs.Runs.use((runs) => runs.turn(agentId, runId))),
    finish: (agentId, runId, input) =>
      run(Runs.Runs.use((runs) => runs.finish(agentId, runId, input))),
    events: (projectId) =>
      run(
        Effect.map(
          EventLog.EventLog.use((log) => log.subscribe({ filter: { projectId } })),
          Stream.toAsyncIterable,
        ),
      ),
    close: () => runtime.dispose(),
  };
};
