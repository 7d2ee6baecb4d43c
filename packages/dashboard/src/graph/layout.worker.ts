import { layout, type LayoutRequest, type LayoutResponse } from "./layout.ts";

/** Computes the layout off the main thread, so that a large graph does not block the page. */
addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  const response: LayoutResponse = { id: data.id, positions: layout(data) };
  postMessage(response);
});
