// Vite would take the URL of a chunk inside of `new URL` for the URL of a file.
const chunk = import.meta.url;

/** The URL of the server, with the path that it is mounted at. Chunks are in its folder `assets`. */
export const base = import.meta.env.PROD ? new URL("..", chunk).href : `${location.origin}/`;
