/**
 * The URIs of resources that agents use. They contain the name of the installed server, so that
 * `resources/read` finds it, and are URIs by RFC 3986 even if the original is not:
 *
 * - `qm+notes+file:///a.md` of the server `notes`, if the original `file:///a.md` is a URI. The scheme is
 *   `qm+notes+file`, and everything after it is the original.
 * - `qm+notes:notes%2F5` for any other original, percent-encoded.
 *
 * Names of servers have letters, digits and hyphens, which a scheme may have, and no plus sign.
 */

const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const illegal = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})/;

export const namespaced = (server: string, uri: string): string =>
  hasScheme.test(uri) && !illegal.test(uri)
    ? `qm+${server}+${uri}`
    : `qm+${server}:${encodeURIComponent(uri.toWellFormed())}`;

/**
 * A template with the same prefix: its expressions do not change, and expand to URIs that `parse`
 * reads.
 */
export const namespacedTemplate = (server: string, template: string): string =>
  `qm+${server}+${template}`;

/** The server and its own URI; null for a URI that belongs to no server. */
export const parse = (uri: string): { readonly server: string; readonly uri: string } | null => {
  const [, server, separator, rest] = /^qm\+([a-z0-9-]{1,32})([+:])(.*)$/s.exec(uri) ?? [];
  if (server === undefined || rest === undefined) return null;
  if (separator === "+") return { server, uri: rest };
  try {
    return { server, uri: decodeURIComponent(rest) };
  } catch {
    return null;
  }
};
