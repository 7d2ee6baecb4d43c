// Renders the documentation that the server serves at /docs: `pages.json.br` has the pages as HTML,
// and `assets` has their style and script with a hash in each name. docs/README.md determines the
// pages and their order; the pages for contributors stay in the repository.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";

const root = join(import.meta.dirname, "../..");
const repository = "https://github.com/quartermaster-dev/quartermaster/blob/main/";

/** Sections of the index whose pages are not served. */
const omitted = new Set(["How do I ...", "Contributing"]);

const read = (file) => readFile(join(root, file), "utf8");
const resolve = (from, link) => normalize(join(dirname(from), link)).replaceAll("\\", "/");

/** The path of a page below /docs. */
const pathOf = (file) =>
  file
    .replace(/^docs\//, "")
    .replace(/(^|\/)README\.md$/, "")
    .replace(/\.md$/, "")
    .toLowerCase();

/** The anchor of a heading, as the hosts of repositories derive it. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");

/** The pages that an index links to as list items, by section. */
const linked = (index, from) =>
  index.split(/^## /m).flatMap((text) => {
    const section = text.split("\n", 1)[0];
    if (omitted.has(section)) return [];
    return [...text.matchAll(/^- \[([^\]]+)\]\(([^)#]+\.md)\)/gm)].map(([, title, link]) => ({
      section,
      title: title.replaceAll("`", ""),
      file: resolve(from, link),
    }));
  });

/** The pages in the order of the sidebar. The contract's pages follow its index. */
const pagesOf = async () => {
  const index = "docs/README.md";
  const contract = "docs/contract/README.md";
  const contractPages = [...(await read(contract)).matchAll(/^## (.+)\n\n\[(\w+\.md)\]/gm)].map(
    ([, title, link]) => ({ section: "Contract", title, file: resolve(contract, link) }),
  );
  const pages = linked(await read(index), index).map((page) =>
    page.file === contract ? { ...page, section: "Contract", title: "Index" } : page,
  );
  const isContract = ({ section }) => section === "Contract";
  return [
    { section: "", title: "Documentation", file: index },
    ...pages.filter((page) => !isContract(page)),
    ...pages.filter(isContract),
    ...contractPages,
  ];
};

/** The URL of a link: another page of the documentation, or else a file of the repository. */
const urlOf = (file, link, files) => {
  if (/^(?:https?:|#)/.test(link)) return link;
  const [path, anchor] = link.split("#");
  const target = resolve(file, path);
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (!files.has(target)) return `${repository}${target}${hash}`;
  return `/docs/${pathOf(target)}`.replace(/\/$/, "") + hash;
};

const render = async (file, files) => {
  // Removes the comments that direct the check of the commands.
  const text = (await read(file)).replaceAll(/^<!--[\s\S]*?-->\n/gm, "");
  const headings = [];
  const html = micromark(text, {
    extensions: [gfmTable()],
    htmlExtensions: [gfmTableHtml()],
  })
    .replaceAll(/<h([1-3])>(.*?)<\/h\1>/gs, (_, depth, title) => {
      const plain = title.replaceAll(/<[^>]+>/g, "");
      const id = anchorOf(plain.replaceAll(/&\w+;/g, ""));
      if (depth !== "1") headings.push({ id, depth: Number(depth), title: plain });
      return `<h${depth} id="${id}">${title}</h${depth}>`;
    })
    .replaceAll(/href="([^"]*)"/g, (_, link) => `href="${urlOf(file, link, files)}"`)
    .replaceAll(
      "<table>",
      '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
    )
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
  return { html, headings };
};

const dashboard = createRequire(join(root, "packages/dashboard/package.json"));

/** The dashboard's font: its rules with the URLs of the files, and the file that every page needs. */
const fontOf = async (folder) => {
  let css = await read("packages/dashboard/src/app/fonts.css");
  let font = "";
  for (const [, file] of css.matchAll(/url\("([^"]+)"\)/g)) {
    // The last one has the letters of every page.
    font = await asset(folder, basename(file), await readFile(dashboard.resolve(file)));
    css = css.replace(file, `./${font}`);
  }
  return { font, css };
};

/** The colors of the dashboard, which the documentation reuses. */
const tokens = async () => {
  const css = await read("packages/dashboard/src/app/tokens.css");
  return css.slice(0, css.indexOf("@layer reset"));
};

const asset = async (folder, name, content) => {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
  const hashed = name.replace(".", `-${hash}.`);
  await writeFile(join(folder, "assets", hashed), content);
  return hashed;
};

/** Writes the documentation into a folder, which it replaces. */
export const renderDocs = async (folder) => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "assets"), { recursive: true });
  const sources = await pagesOf();
  const files = new Set(sources.map(({ file }) => file));
  const rendered = await Promise.all(
    sources.map(async ({ file, section, title }) => ({
      path: pathOf(file),
      section,
      title,
      ...(await render(file, files)),
    })),
  );
  const { css, font } = await fontOf(folder);
  const style = await asset(
    folder,
    "docs.css",
    `${css}${await tokens()}${await read("scripts/docs/docs.css")}`,
  );
  const script = await asset(folder, "docs.js", await read("scripts/docs/docs.js"));
  const icon = await asset(folder, "icon.svg", await read("packages/dashboard/src/app/icon.svg"));
  const pages = JSON.stringify({ style, script, icon, font, pages: rendered });
  await writeFile(join(folder, "pages.json.br"), await promisify(brotliCompress)(pages));
};
