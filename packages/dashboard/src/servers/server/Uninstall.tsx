import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type InstalledServer, useUninstall } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { useCommands } from "../../parts/commands.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { useToasts } from "../../parts/toast.ts";
import { plural, toolCount } from "../words.ts";
import section from "../Section.module.css";
import styles from "./Overview.module.css";

/** The button that uninstalls the server, with a confirmation that lists the effects. */
export const Uninstall = ({ server }: { readonly server: InstalledServer }) => {
  const { toast } = useToasts();
  const [isOpen, setOpen] = useState(false);
  const uninstall = useUninstall();
  const navigate = useNavigate();
  const tools = toolCount(server) ?? 0;
  const values = server.env.filter(({ isSet }) => isSet).length;
  useCommands([
    {
      id: "uninstall",
      title: `Uninstall ${server.name}`,
      section: "Server",
      icon: "close",
      run: () => setOpen(true),
    },
  ]);
  const run = () =>
    uninstall.mutate(server.id, {
      onSuccess: () => {
        toast("Server uninstalled", server.name);
        void navigate({ to: "/servers" });
      },
    });
  return (
    <section className={section["section"]} aria-label="Uninstall">
      <h2>Uninstall</h2>
      <div>
        <Button variant="danger" onClick={() => setOpen(true)}>
          Uninstall
        </Button>
      </div>
      {isOpen ? (
        <Confirm
          title={`Uninstall ${server.name}?`}
          action="Uninstall"
          request={uninstall}
          onConfirm={run}
          onClose={() => setOpen(false)}
        >
          <ul className={styles["changes"]}>
            <li>
              {server.transport === "stdio" ? "Its processes stop" : "Its connections close"}, and
              calls in flight fail.
            </li>
            <li>
              Agents lose {tools === 0 ? "its tools" : plural(tools, "tool")} from their next turn,
              and their access is removed.
            </li>
            <li>
              {values === 0 ? "Its tokens" : `${plural(values, "stored value")} and its tokens`} are
              deleted. They cannot be restored.
            </li>
            <li>The name can be used again.</li>
          </ul>
        </Confirm>
      ) : null}
    </section>
  );
};
