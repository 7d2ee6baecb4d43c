// A variable, because Vite rewrites `new URL(..., import.meta.url)` to the URL of an asset.
const chunk = import.meta.url;

/** The URL of the server, including its mount path. Chunks are in `assets/` below it. */
export const base = import.meta.env.PROD ? new URL("..", chunk).href : `${location.origin}/`;
