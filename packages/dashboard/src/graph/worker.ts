// oxlint-disable-next-line import/default -- the build makes it
import url from "./layout.worker.ts?worker&url";

interface Policy {
  readonly createScriptURL: (url: string) => string;
}

declare global {
  interface Window {
    readonly trustedTypes?: {
      readonly createPolicy: (name: string, rules: Policy) => Policy;
    };
  }
}

const ownUrl = (text: string): string => {
  const found = new URL(text, import.meta.url);
  if (found.origin !== location.origin) throw new TypeError(`${text} does not belong to this page`);
  return found.href;
};

/** The page's Content Security Policy requires a trusted type for the URL of a worker. */
const policy = window.trustedTypes?.createPolicy("quartermaster worker", {
  createScriptURL: ownUrl,
});

/** Starts the layout worker. */
export const startWorker = (): Worker =>
  new Worker(policy?.createScriptURL(url) ?? ownUrl(url), { type: "module" });
