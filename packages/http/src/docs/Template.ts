import type { DocsPage, Documentation } from "./Pages.ts";
import type { Found } from "./Search.ts";

/** HTML templates of the documentation. */

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => escapes[char] ?? "");

/** The values that all templates share. */
export interface Site {
  readonly documentation: Documentation;
  /** The path at which the routes are mounted. */
  readonly prefix: string;
  /** Whether the server has a dashboard to link to. */
  readonly hasDashboard: boolean;
}

/** The URL of a path below `/docs`. */
export const urlOf = (prefix: string, path: string): string =>
  `${prefix}/docs${path === "" || path.startsWith("#") ? "" : "/"}${path}`;

const contents = ({ documentation: { pages }, prefix }: Site, current: string): string => {
  const sections = [...new Set(pages.map(({ section }) => section))];
  return sections
    .map((section) => {
      const links = pages
        .filter((page) => page.section === section)
        .map(({ path, title }) => {
          const mark = path === current ? ' aria-current="page"' : "";
          return `<li><a href="${urlOf(prefix, path)}"${mark}>${escaped(title)}</a></li>`;
        });
      const heading = section === "" ? "" : `<h2>${escaped(section)}</h2>`;
      return `${heading}<ul>${links.join("")}</ul>`;
    })
    .join("");
};

const outline = (headings: DocsPage["headings"]): string => {
  if (headings.length < 2) return "";
  const links = headings.map(
    ({ depth, id, title }) =>
      `<li><a href="#${id}"${depth === 3 ? ' class="deep"' : ""}>${title}</a></li>`,
  );
  return `<nav class="outline" aria-labelledby="outline"><h2 id="outline">On this page</h2><ul>${links.join("")}</ul></nav>`;
};

interface Content {
  readonly title: string;
  readonly path: string;
  readonly html: string;
  readonly headings: DocsPage["headings"];
  readonly query?: string;
}

const document = (site: Site, { headings, html, path, query = "", title }: Content): string => {
  const { documentation, hasDashboard, prefix } = site;
  const docs = `${prefix}/docs`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Quartermaster</title>
<link rel="preload" href="${docs}/assets/${documentation.font}" as="font" type="font/woff2" crossorigin>
<link rel="icon" type="image/svg+xml" href="${docs}/assets/${documentation.icon}">
<link rel="stylesheet" href="${docs}/assets/${documentation.style}">
<script src="${docs}/assets/${documentation.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="${docs}"><img src="${docs}/assets/${documentation.icon}" alt="">Quartermaster</a>
<form class="search" role="search" action="${docs}/search"><input type="search" name="q" value="${escaped(query)}" maxlength="200" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ul class="found" aria-label="Results"></ul></form>
<a class="only-narrow" href="#contents">Contents</a>
<a href="${docs}/api">API</a>
${hasDashboard ? `<a href="${prefix}/">Dashboard</a>` : ""}
<button class="theme" type="button" hidden></button>
</header>
<div class="page">
<main id="content">
<article>
${html}
</article>
${outline(headings)}
</main>
<nav class="contents" id="contents" aria-label="Documentation">${contents(site, path)}</nav>
</div>
</body>
</html>
`;
};

/** A documentation page. Its links were rendered for a server at the root and get the prefix here. */
export const page = (site: Site, { headings, html, path, title }: DocsPage): string =>
  document(site, {
    title,
    path,
    headings,
    html: html.replaceAll('href="/docs', `href="${site.prefix}/docs`),
  });

/** The results page of a search without JavaScript. */
export const results = (site: Site, query: string, found: ReadonlyArray<Found>): string => {
  const items = found.map(
    ({ excerpt, heading, path, title }) =>
      `<li><a href="${urlOf(site.prefix, path)}">${escaped(heading === null ? title : `${title}: ${heading}`)}</a><small>${escaped(excerpt)}</small></li>`,
  );
  const none = query === "" ? "Type words to search for." : "No section has all these words.";
  return document(site, {
    title: "Search",
    path: "search",
    headings: [],
    query,
    html: `<h1>Search</h1>${items.length === 0 ? `<p>${none}</p>` : `<ul class="results">${items.join("")}</ul>`}`,
  });
};

/** The page for a path that the documentation does not have. */
export const missing = (site: Site): string =>
  document(site, {
    title: "Not found",
    path: "missing",
    headings: [],
    html: "<h1>There is no such page</h1><p>Search for it, or choose a page of the contents.</p>",
  });
