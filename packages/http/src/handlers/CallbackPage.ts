import { HttpServerResponse } from "effect/http";

/**
 * The page that concludes an authorization. It contains only text, runs no scripts
 * and makes no requests.
 */

const headers = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};

const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (status: number, title: string, text: string) =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</html>
`,
    { status, contentType: "text/html; charset=utf-8", headers },
  );

export const success = (name: string) =>
  page(200, "Authorized", `The server ${name} is authorized. You can close this page.`);

export const failure = (explanation: string) =>
  page(400, "Not authorized", `${explanation} Nothing changed.`);

export const unavailable = page(
  503,
  "Not authorized",
  "The service is temporarily unavailable. Start the authorization again in a few seconds.",
);

/** The response to a HEAD request. */
export const empty = HttpServerResponse.empty({ status: 200, headers });
