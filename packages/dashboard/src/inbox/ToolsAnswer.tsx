import { useAnswer, usePartOf } from "../data/inbox/answers.ts";
import type { InboxItem } from "../data/inbox/inbox.ts";
import { useServer } from "../data/servers/servers.ts";
import { type ToolDecision, useDecideTools, useServerTools } from "../data/servers/serverTools.ts";
import { Button } from "../parts/Button.tsx";
import { definitionText } from "../parts/definition.ts";
import { Effects } from "../parts/Effects.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { Change } from "./Change.tsx";
import styles from "./Item.module.css";

const isWithheld = ({ state }: { readonly state: string }) =>
  state === "changed" || state === "new";

/** The largest number of changes that start expanded. */
const mostOpen = 3;

/**
 * The changes of a server's definitions since their acceptance, each with a decision, plus a decision for
 * all.
 */
export const ToolsAnswer = ({
  item,
  serverId,
}: {
  readonly item: InboxItem;
  readonly serverId: string;
}) => {
  const { data, error } = useServerTools(serverId);
  const server = useServer(serverId).data;
  const { mutateAsync: decide } = useDecideTools();
  const { mutate: answer } = useAnswer(item);
  const { mutate: change } = usePartOf(item);
  if (error !== null && data === undefined) return <ErrorNote error={error} />;
  if (data === undefined || server === undefined) return <Skeleton height={90} />;

  const tools = data.filter(isWithheld);
  const named = tools.flatMap(({ digest, name }) => (digest === null ? [] : [{ name, digest }]));
  const { instructions } = server;
  const isTold = instructions !== null && isWithheld(instructions);
  const count = tools.length + (isTold ? 1 : 0);
  // The last open decision completes the item.
  const send = (decision: ToolDecision) =>
    count === 1 ? answer(() => decide(decision)) : change(() => decide(decision));
  const all: ToolDecision = {
    serverId,
    action: "accept",
    tools: named,
    instructions: isTold ? instructions.digest : undefined,
  };
  const isOpen = count <= mostOpen;
  return (
    <>
      {tools.map(({ accepted, current, digest, kind, name, state }) => (
        <Change
          key={`${kind} ${name}`}
          name={kind === "prompt" ? `Prompt ${name}` : name}
          isNew={state === "new"}
          isOpen={isOpen}
          before={definitionText(accepted)}
          after={definitionText(current)}
          onAccept={
            digest === null
              ? null
              : () => send({ serverId, action: "accept", tools: [{ name, digest }] })
          }
          onBlock={() => send({ serverId, action: "block", names: [name] })}
        >
          {kind === "tool" ? <Effects before={accepted} after={current} /> : null}
        </Change>
      ))}
      {isTold ? (
        <Change
          name="Instructions"
          isNew={instructions.state === "new"}
          isOpen={isOpen}
          before={instructions.accepted}
          after={instructions.current}
          onAccept={() =>
            send({ serverId, action: "accept", tools: [], instructions: instructions.digest })
          }
          onBlock={null}
        />
      ) : null}
      {count < 2 ? null : (
        <div className={styles["buttons"]}>
          <Button onClick={() => answer(() => decide(all))}>Accept all {count}</Button>
        </div>
      )}
    </>
  );
};
