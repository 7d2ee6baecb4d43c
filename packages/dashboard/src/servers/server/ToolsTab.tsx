import { useCallback, useMemo, useState } from "react";
import type { InstalledServer } from "../../data/servers/servers.ts";
import { useDecideTools, useServerTools, useVerify } from "../../data/servers/serverTools.ts";
import { Button } from "../../parts/Button.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { entriesOf, type ToolFilter } from "../../toolBrowser/entry.ts";
import { ToolBrowser } from "../../toolBrowser/ToolBrowser.tsx";

/** The tools and the instructions of a server. */
export const ToolsTab = ({ server }: { readonly server: InstalledServer }) => {
  const [filter, setFilter] = useState<ToolFilter>({});
  const [open, setOpen] = useState<string>();
  const { mutateAsync: decide } = useDecideTools();
  const verify = useVerify();
  const { data, error } = useServerTools(server.id);
  const entries = useMemo(
    () => (data === undefined ? null : entriesOf(server, data)),
    [server, data],
  );
  const onFilter = useCallback(
    (change: ToolFilter) => setFilter((before) => ({ ...before, ...change })),
    [],
  );
  return (
    <div style={{ display: "flex", height: "100%" }}>
      <ToolBrowser
        entries={entries}
        errors={[error, verify.error].filter((one) => one !== null)}
        filter={filter}
        onFilter={onFilter}
        open={open}
        onOpen={setOpen}
        decide={decide}
        empty={
          <EmptyState
            icon="tool"
            title="No tools yet"
            text="Verify the server: the first verification lists its tools and accepts them."
            command={`quartermaster server verify ${server.name}`}
            action={
              <Button
                variant="primary"
                disabled={verify.isPending}
                onClick={() => verify.mutate(server.id)}
              >
                {verify.isPending ? "Verifying" : "Verify"}
              </Button>
            }
          />
        }
      />
    </div>
  );
};
