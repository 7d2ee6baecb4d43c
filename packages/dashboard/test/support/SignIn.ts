import type { BrowserContext } from "playwright-core";

/**
 * Signs in to the window with the key: sets the session's cookie and the page's entry in the
 * storage of the origin.
 */
export const signIn = async (context: BrowserContext, base: string, key: string): Promise<void> => {
  const response = await context.request.post(`${base}/api/session`, { data: { apiKey: key } });
  if (!response.ok()) throw new Error(`signing in: ${response.status()}`);
  const { principal, sessionSecret } = await response.json();
  const { origin, pathname } = new URL(`${base}/`);
  const user = JSON.stringify(JSON.stringify({ principal, sessionSecret }));
  // The script acts once: the page may sign out later.
  await context.addInitScript(`
    if (location.origin === "${origin}" && localStorage.getItem("test signed in") === null) {
      localStorage.setItem("test signed in", "yes");
      localStorage.setItem("quartermaster session ${pathname}", ${user});
    }`);
};
