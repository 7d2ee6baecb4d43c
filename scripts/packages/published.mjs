// The requirements of a registry's page and of an editor for a package: its fields, links, maps and
// sources.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const repository = "https://github.com/quartermaster-dev/quartermaster";
const root = join(import.meta.dirname, "../..");

export const wrongFields = (json) => {
  const name = json.name === "quartermaster" ? "server" : json.name.replace("@quartermaster/", "");
  const directory = `packages/${name}`;
  const expected = {
    homepage: `${repository}/tree/main/${directory}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: "git", url: `git+${repository}.git`, directory },
    sideEffects: false,
    engines: { node: ">=22.19" },
  };
  const wrong = Object.keys(expected).filter(
    (field) => JSON.stringify(json[field]) !== JSON.stringify(expected[field]),
  );
  if (!(json.keywords?.length > 2)) wrong.push("keywords");
  return wrong.map((field) => `package.json: ${field} differs from the other packages'`);
};

/** The anchors of a page's headings, as GitHub generates them. */
const anchorsIn = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

/** Links of the README that are dead on a registry's page. */
export const deadLinks = (dir) => {
  const text = readFileSync(join(dir, "README.md"), "utf8");
  const pages = `${repository}/blob/main/`;
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
    const [path, anchor] = link.slice(pages.length).split("#");
    if (!link.startsWith(pages)) {
      return link.startsWith("https://") ? [] : [`README.md: ${link} is relative`];
    }
    const file = join(root, path);
    const leads =
      existsSync(file) &&
      (anchor === undefined || anchorsIn(readFileSync(file, "utf8")).includes(anchor));
    return leads ? [] : [`README.md: ${link} leads nowhere`];
  });
};

/** Declarations without a map to a source in the package. */
export const lostSources = (dir) =>
  globSync("dist/**/*.d.ts", { cwd: dir }).flatMap((name) => {
    const map = join(dir, `${name}.map`);
    const sources = existsSync(map) ? JSON.parse(readFileSync(map, "utf8")).sources : [];
    const found = sources.filter((source) => existsSync(join(dirname(map), source)));
    return found.length === 1 ? [] : [`${name} has no map to its source`];
  });

/**
 * The importable modules, by their paths, and the modules that must not be importable: all below a
 * folder `internal`. A pattern of `exports` has one star, so each of these folders has a line
 * there.
 */
export const modulesOf = (dir, { exports, name }) => {
  const modules = globSync("dist/**/*.js", { cwd: dir })
    .map((file) => file.slice("dist/".length, -".js".length).replaceAll("\\", "/"))
    .toSorted();
  const isClosed = (module) => /(^|\/)internal\//.test(module) || exports[`./${module}`] === null;
  return {
    open: modules.filter((module) => !isClosed(module)).map((module) => `${name}/${module}`),
    closed: modules.filter(isClosed).map((module) => `${name}/${module}`),
  };
};
