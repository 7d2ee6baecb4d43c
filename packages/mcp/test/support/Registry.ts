import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { Effect } from "effect";
import * as Http from "./HttpFixture.ts";

/** A file of a tar archive, in the format of 1988. */
const entry = (name: string, text: string): Buffer => {
  const header = Buffer.alloc(512);
  header.write(`package/${name}`, 0);
  header.write("0000755\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${Buffer.byteLength(text).toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
  body.write(text);
  return Buffer.concat([header, body]);
};

const tarballOf = ({ name, version }: { readonly name: string; readonly version: string }) =>
  `/${name}/-/${version}.tgz`;

export interface Published {
  readonly name: string;
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** The publication date. Default: in 2020. */
  readonly published?: string;
}

/** A registry of npm packages on this host, and the requests that it received. */
export const serve = Effect.fnUntraced(function* (packages: ReadonlyArray<Published>) {
  const asked: Array<string> = [];
  let hangs = false;
  const made = packages.map(
    ({ name, version, files, manifest, published = "2020-01-01T00:00:00.000Z" }) => {
      const packageJson = { name, version, ...manifest };
      const all = { ...files, "package.json": JSON.stringify(packageJson) };
      const tar = Buffer.concat([
        ...Object.entries(all).map(([file, text]) => entry(file, text)),
        Buffer.alloc(1024),
      ]);
      const tarball = gzipSync(tar);
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      return { packageJson, tarball, integrity, published };
    },
  );
  const url: string = yield* Http.serve((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    asked.push(path);
    if (hangs) return;
    const file = made.find((one) => path === tarballOf(one.packageJson));
    if (file !== undefined) return void response.end(file.tarball);
    const found = made.filter((one) => path === `/${one.packageJson.name}`);
    const [first] = found;
    if (first === undefined) return void response.writeHead(404).end("{}");
    const { name, version } = first.packageJson;
    const versions = Object.fromEntries(
      found.map(({ packageJson, integrity }) => [
        packageJson.version,
        { ...packageJson, dist: { tarball: `${url}${tarballOf(packageJson)}`, integrity } },
      ]),
    );
    const time = Object.fromEntries(
      found.map(({ packageJson, published }) => [packageJson.version, published]),
    );
    Http.json(response, { name, "dist-tags": { latest: version }, versions, time });
  });
  return {
    url,
    asked,
    integrityOf: (name: string) => made.find((one) => one.packageJson.name === name)!.integrity,
    hang: () => (hangs = true),
  };
});
