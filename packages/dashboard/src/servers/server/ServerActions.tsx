import { useMay } from "../../data/live/session.ts";
import { usePreparation } from "../../data/servers/preparation.ts";
import { type InstalledServer, useServerCommand } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { useCommands } from "../../parts/commands.ts";

/** The actions to verify, enable and disable a server. */
export const ServerActions = ({ server }: { readonly server: InstalledServer }) => {
  const { mutate, isPending } = useServerCommand();
  const mayChange = useMay("Admin");
  const isBusy = usePreparation(server.id)?.isVerify === true;
  const run = (command: "verify" | "enable" | "disable") => {
    if (!isPending) mutate({ command, serverId: server.id });
  };
  const isOn = server.status === "enabled";
  const other = isOn ? "disable" : "enable";
  // Enabling a server in error starts it again.
  const enableText = server.status === "error" ? "Retry" : "Enable";
  useCommands(
    mayChange
      ? [
          {
            id: "verify",
            title: `Verify ${server.name}`,
            section: "Server",
            icon: "check",
            keys: "shift+v",
            run: () => run("verify"),
          },
          {
            id: other,
            title: `${isOn ? "Disable" : enableText} ${server.name}`,
            section: "Server",
            icon: isOn ? "pause" : "play",
            keys: "shift+e",
            run: () => run(other),
          },
          ...(server.status === "error"
            ? [
                {
                  id: "disable",
                  title: `Disable ${server.name}`,
                  section: "Server",
                  icon: "pause" as const,
                  run: () => run("disable"),
                },
              ]
            : []),
        ]
      : [],
  );
  if (!mayChange) return null;
  return (
    <>
      <Button disabled={isBusy} onClick={() => run("verify")}>
        Verify
      </Button>
      {server.status === "error" ? <Button onClick={() => run("disable")}>Disable</Button> : null}
      <Button variant={isOn ? "default" : "primary"} onClick={() => run(other)}>
        {isOn ? "Disable" : enableText}
      </Button>
    </>
  );
};
