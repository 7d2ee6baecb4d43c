import { layout, type LayoutRequest, type LayoutResponse } from "./layout.ts";

/** Places nodes beside the page, so that a large graph does not stop it. */
addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  const response: LayoutResponse = { id: data.id, positions: layout(data) };
  postMessage(response);
});
