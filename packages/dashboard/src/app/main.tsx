import "./tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { start } from "../data/live/client.ts";
import { App } from "./App.tsx";
import * as theme from "./theme.ts";

theme.start();
void start();

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
