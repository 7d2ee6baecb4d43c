import { assert, describe, it } from "@effect/vitest";
import { Catalog, CatalogEntry } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import { problems } from "../../src/mcp/catalog/internal/EntryProblems.ts";

const all = Effect.map(Catalog.Catalog, (catalog) => catalog.all).pipe(
  Effect.provide(Catalog.Catalog.layer),
);

const stdio = Effect.map(all, (entries) =>
  entries.flatMap((entry) =>
    CatalogEntry.isStdio(entry.manifest) ? [{ entry, manifest: entry.manifest }] : [],
  ),
);

describe("the built-in catalog", () => {
  it.effect("has 36 entries with unique ids, at least three of each category", () =>
    Effect.gen(function* () {
      const entries = yield* all;
      assert.strictEqual(entries.length, 36);
      assert.strictEqual(new Set(entries.map(({ id }) => id)).size, 36);
      for (const category of CatalogEntry.Category.literals) {
        const count = entries.filter((entry) => entry.category === category).length;
        assert.isAtLeast(count, 3, category);
      }
    }),
  );

  it.effect("consists of entries that the schema accepts unchanged", () =>
    Effect.gen(function* () {
      const decode = Schema.decodeUnknownEffect(CatalogEntry.WrittenEntry, {
        onExcessProperty: "error",
      });
      for (const entry of yield* all) {
        assert.deepStrictEqual(yield* decode(entry), entry);
        assert.deepStrictEqual(problems(entry), [], entry.id);
      }
    }),
  );

  it.effect("pins every package, with its integrity where the registry is npm's", () =>
    Effect.gen(function* () {
      for (const { entry, manifest } of yield* stdio) {
        assert.isNotNull(manifest.package, entry.id);
        assert.match(manifest.version ?? "", /^\d+\.\d+\.\d+$/, entry.id);
        assert.strictEqual(manifest.integrity !== null, entry.runtime === "node", entry.id);
      }
    }),
  );

  it.effect("needs a runtime only for programs, and reaches the other servers by https", () =>
    Effect.gen(function* () {
      for (const { id, runtime, manifest } of yield* all) {
        assert.strictEqual(runtime !== "none", CatalogEntry.isStdio(manifest), id);
        if (!CatalogEntry.isStdio(manifest)) assert.match(manifest.url, /^https:/, id);
      }
    }),
  );

  it.effect(
    "uses only required variables in args and headers, so that none is filled with an empty value",
    () =>
      Effect.gen(function* () {
        for (const { id, manifest, envVars } of yield* all) {
          const texts = CatalogEntry.isStdio(manifest)
            ? manifest.args
            : [manifest.url, ...Object.values(manifest.headers)];
          const required = envVars.filter((variable) => variable.required).map(({ name }) => name);
          assert.includeMembers(required, texts.flatMap(CatalogEntry.variablesIn), id);
        }
      }),
  );

  it.effect("keeps secrets off command lines, and gives them no default", () =>
    Effect.gen(function* () {
      for (const { entry, manifest } of yield* stdio) {
        const secrets = entry.envVars.filter(({ secret }) => secret);
        const named = manifest.args.flatMap(CatalogEntry.variablesIn);
        for (const { name, default: value } of secrets) {
          assert.isNull(value, `${entry.id} ${name}`);
          assert.notInclude(named, name, entry.id);
        }
      }
    }),
  );

  it.effect(
    "distinguishes required variables from variables with a default, and describes each",
    () =>
      Effect.gen(function* () {
        for (const { id, envVars } of yield* all) {
          for (const variable of envVars) {
            assert.isFalse(
              variable.required && variable.default !== null,
              `${id} ${variable.name}`,
            );
            assert.isNotEmpty(variable.description, `${id} ${variable.name}`);
          }
        }
      }),
  );

  it.effect("has the memory's graph in the server's own home folder", () =>
    Effect.gen(function* () {
      const memory = (yield* stdio).find(({ entry }) => entry.id === "memory")!;
      assert.deepStrictEqual(CatalogEntry.fixedVariables(memory.manifest, "/data/$&/home"), {
        MEMORY_FILE_PATH: "/data/$&/home/memory.jsonl",
      });
    }),
  );
});

describe("a catalog file", () => {
  const local = {
    id: "local",
    name: "Local",
    description: "Our program.",
    category: "dev",
    transport: "stdio",
    runtime: "none",
    installInstructions: "None.",
    manifest: { command: "/usr/local/bin/ours" },
  };
  const remote = { ...local, id: "remote", transport: "http", manifest: { url: "https://a.test" } };

  const load = (...texts: ReadonlyArray<string>) =>
    Effect.map(Catalog.Catalog, (catalog) => catalog.all.slice(36)).pipe(
      Effect.provide(
        Catalog.Catalog.layerWith(texts.map((text, i) => ({ path: `/etc/${i + 1}.json`, text }))),
      ),
    );

  it.effect("may give a local program a version", () =>
    Effect.gen(function* () {
      const [entry] = yield* load(JSON.stringify(of({ version: "1.0.0" })));
      assert.deepInclude(entry?.manifest, { package: null, version: "1.0.0" });
    }),
  );

  it.effect("may omit fields with a default", () =>
    Effect.gen(function* () {
      const variable = { name: "TOKEN", description: "", required: true, secret: true };
      const [first, second] = yield* load(
        JSON.stringify([local]),
        JSON.stringify([{ ...remote, verified: true, envVars: [variable] }]),
      );
      assert.deepStrictEqual<unknown>(first, {
        ...local,
        source: "file",
        verified: false,
        homepage: null,
        envVars: [],
        manifest: {
          package: null,
          version: null,
          integrity: null,
          lockedAt: null,
          command: "/usr/local/bin/ours",
          args: [],
          env: {},
          isolation: "shared",
          state: false,
          sandbox: null,
        },
      });
      assert.deepStrictEqual<unknown>(second, {
        ...remote,
        source: "file",
        verified: true,
        homepage: null,
        envVars: [{ ...variable, default: null }],
        manifest: { url: "https://a.test", headers: {} },
      });
    }),
  );

  const of = (manifest: object) => [{ ...local, manifest: { ...local.manifest, ...manifest } }];
  it.effect.each<readonly [why: string, content: unknown, message: string]>([
    ["an id of the built-in catalog", [{ ...local, id: "time" }], "id: time"],
    ["an id twice", [local, local], "id: local"],
    ["no list", {}, "array"],
    ["a bad id", [{ ...local, id: "A b" }], "0.id"],
    ["a missing field", [local, { ...remote, name: undefined }], "1.name"],
    ["an unknown field", [{ ...local, colour: "red" }], "0.colour"],
    ["an unknown field of the manifest", of({ shell: true }), "0.manifest.shell"],
    ["an unknown transport", [{ ...local, transport: "pigeon" }], "0.transport: Expected stdio"],
    ["another transport's manifest", [{ ...local, transport: "sse" }], "0.manifest.command"],
    [
      "a bad header",
      [{ ...remote, manifest: { url: "https://a", headers: { A: 1 } } }],
      "headers.A",
    ],
    ["no web address", [{ ...remote, manifest: { url: "file:///etc" } }], "0.manifest.url"],
    ["a range", of({ package: "p", version: "^1.0.0" }), "0.manifest.version"],
    ["a wildcard", of({ package: "p", version: "1.x" }), "0.manifest.version"],
    ["a tag", of({ package: "p", version: "latest" }), "0.manifest.version"],
    ["a package without version", of({ package: "p" }), "manifest.version"],
    [
      "a package that is an option",
      of({ package: "--global", version: "1" }),
      "0.manifest.package",
    ],
    ["a short digest", of({ integrity: "sha512-AAAA" }), "0.manifest.integrity"],
    ["an undeclared variable", of({ args: ["${TOKEN}"] }), "local: manifest refers to ${TOKEN}"],
    [
      "a variable for a host",
      [
        {
          ...remote,
          manifest: { url: "https://a.${HOST}/" },
          envVars: [{ name: "HOST", description: "", required: true, secret: false }],
        },
      ],
      "remote: manifest.url",
    ],
  ])("is refused with %s", ([, content, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(load("[]", JSON.stringify(content)));
      assert.strictEqual(error.path, "/etc/2.json");
      assert.include(error.message, "/etc/2.json");
      assert.include(error.message, message);
    }),
  );

  it.effect("is refused if it is not JSON", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(load("[,"));
      assert.match(error.message, /^The catalog file \/etc\/1\.json cannot be used: .*JSON/);
    }),
  );

  it.effect.each(["1", "1.0.0", "2026.8.31", "1.0.0-rc.1", "1.0.0+build.5", "1.0rc1", "1.0.post1"])(
    "may pin %s",
    (version) =>
      load(JSON.stringify(of({ package: "p", version }).map((e) => ({ ...e, runtime: "pipx" })))),
  );
});
