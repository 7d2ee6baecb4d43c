import type { BrowserContext } from "playwright-core";

/** Gives the window a session of the key: its cookie, and in the storage of the origin what the page stores of it. */
export const signIn = async (context: BrowserContext, base: string, key: string): Promise<void> => {
  const response = await context.request.post(`${base}/api/session`, { data: { apiKey: key } });
  if (!response.ok()) throw new Error(`signing in: ${response.status()}`);
  const { principal, sessionSecret } = await response.json();
  const { origin, pathname } = new URL(`${base}/`);
  const user = JSON.stringify(JSON.stringify({ principal, sessionSecret }));
  // Once: the page may sign out later.
  await context.addInitScript(`
    if (location.origin === "${origin}" && localStorage.getItem("test signed in") === null) {
      localStorage.setItem("test signed in", "yes");
      localStorage.setItem("quartermaster session ${pathname}", ${user});
    }`);
};
