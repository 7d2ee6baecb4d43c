import "./tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followChanges } from "../data/changes.ts";
import { api, base, clientOver, observed, start } from "../data/live/client.ts";
import { DataContext, makeData } from "../data/live/data.ts";
import { makeEventStream } from "../data/live/live.ts";
import { makeQueries } from "../data/live/query.ts";
import { sentenceOf } from "../parts/sentence.ts";
import { toastError } from "../parts/toast.ts";
import { App } from "./App.tsx";
import * as theme from "./theme.ts";

theme.start();
void start();

const data = makeData({
  api,
  clientOver,
  stream: makeEventStream(`quartermaster ${base}`, observed),
  queries: makeQueries((error) => toastError("Change not saved", sentenceOf(error))),
});
followChanges(data);

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <DataContext value={data}>
        <App />
      </DataContext>
    </StrictMode>,
  );
}
