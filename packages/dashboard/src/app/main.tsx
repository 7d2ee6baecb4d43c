import "./fonts.css";
import "./tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { DataContext } from "../data/live/data.ts";
import { sentenceOf } from "../parts/sentence.ts";
import { makeStores, SharedContext } from "../parts/shared.ts";
import { makeToasts } from "../parts/toast.ts";
import { App } from "./App.tsx";
import { base } from "./base.ts";
import { dataOf } from "./data.ts";
import { makeRouter } from "./router.ts";
import { makeTheme } from "./theme.ts";

const shared = makeStores(undefined);
const { toast, toastError } = shared(makeToasts);
const data = dataOf(base, {
  failed: (error) => toastError("Change not saved", sentenceOf(error)),
  warned: toast,
});
shared(makeTheme).start();
void data.account.start();

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <SharedContext value={shared}>
        <DataContext value={data}>
          <App router={makeRouter(base)} />
        </DataContext>
      </SharedContext>
    </StrictMode>,
  );
}
