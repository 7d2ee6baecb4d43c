import { Suspense, useState } from "react";
import { useMay } from "../data/live/session.ts";
import { useViews, type SavedView } from "../data/views.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import type { WorkSearch } from "./search.ts";
import { isShown, queryOf } from "./viewQuery.ts";

const ViewMenu = lazily(() => import("./ViewMenu.tsx"), "ViewMenu");
const ViewDialog = lazily(() => import("./ViewDialog.tsx"), "ViewDialog");
const DeleteView = lazily(() => import("./DeleteView.tsx"), "DeleteView");

type Layer =
  | { readonly type: "menu"; readonly anchor: Element }
  | { readonly type: "save"; readonly view: SavedView | null }
  | { readonly type: "delete"; readonly view: SavedView };

/** The button that saves the list as a view, and changes the view that it shows. */
export const ViewButton = ({ search }: { readonly search: WorkSearch }) => {
  const views = useViews().data ?? [];
  const canShare = useMay("Editor");
  const [layer, setLayer] = useState<Layer | null>(null);
  const close = () => setLayer(null);
  const shown = views.find((view) => isShown(view, search));
  const query = queryOf(search);
  if (query === "" || query === "view=list") return null;
  const mayChange = shown !== undefined && (shown.projectId === null || canShare);
  return (
    <>
      <Button
        variant="quiet"
        aria-haspopup={mayChange ? "menu" : "dialog"}
        disabled={shown !== undefined && !mayChange}
        onClick={({ currentTarget }) =>
          setLayer(
            shown === undefined
              ? { type: "save", view: null }
              : { type: "menu", anchor: currentTarget },
          )
        }
      >
        <Icon name="pin" />
        {shown === undefined ? "Save view" : shown.name}
      </Button>
      <Suspense fallback={<Opening />}>
        {layer?.type === "menu" && shown !== undefined ? (
          <ViewMenu
            anchor={layer.anchor}
            onChange={() => setLayer({ type: "save", view: shown })}
            onDelete={() => setLayer({ type: "delete", view: shown })}
            // Keeps the dialog that an item opened.
            onClose={() => setLayer((now) => (now?.type === "menu" ? null : now))}
          />
        ) : null}
        {layer?.type === "save" ? (
          <ViewDialog
            view={layer.view}
            views={views}
            search={search}
            canShare={canShare}
            onClose={close}
          />
        ) : null}
        {layer?.type === "delete" ? <DeleteView view={layer.view} onClose={close} /> : null}
      </Suspense>
    </>
  );
};
