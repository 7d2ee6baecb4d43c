import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { isAbsolute } from "node:path";
import { MasterKeyFile, type MasterKeys } from "@quartermaster/core";
import { ServedHost } from "@quartermaster/http";
import { ByteSize, Config, Effect, Option, Redacted } from "effect";
import { StartError } from "./StartError.ts";
import type * as Variables from "./Variables.ts";

/** A parser of a variable. `mustBe` completes the message "QM_PORT must be ...". */
export interface Reader<A> {
  readonly mustBe: string;
  readonly read: (text: string) => Option.Option<A>;
}

/** Reads a variable. An empty variable counts as unset. */
export const setting = <A, B>(name: Variables.Name, reader: Reader<A>, fallback: B) =>
  Effect.gen(function* () {
    const text = yield* Config.String(name).pipe(Config.withDefault(""), Effect.orDie);
    if (text.trim() === "") return fallback;
    return yield* Option.match(reader.read(text.trim()), {
      onNone: () => refuse(name, reader.mustBe, `, not ${JSON.stringify(text)}`),
      onSome: Effect.succeed<A>,
    });
  });

/** Reads a variable that holds a secret. No message contains its value. */
export const secretSetting = <A, B>(name: Variables.Name, reader: Reader<A>, fallback: B) =>
  Effect.gen(function* () {
    const text = yield* Config.Redacted(name).pipe(Config.option, Effect.orDie);
    if (Option.isNone(text) || Redacted.value(text.value).trim() === "") return fallback;
    return yield* Option.match(reader.read(Redacted.value(text.value)), {
      onNone: () => refuse(name, reader.mustBe, ""),
      onSome: Effect.succeed<A>,
    });
  });

const refuse = (name: string, mustBe: string, but: string) =>
  Effect.fail(new StartError({ message: `${name} must be ${mustBe}${but}.` }));

export const text: Reader<string> = { mustBe: "text", read: Option.some };

/** 1 is true, 0 is false. */
export const flag: Reader<boolean> = {
  mustBe: "1 or 0",
  read: (text) => (/^[01]$/.test(text) ? Option.some(text === "1") : Option.none()),
};

export const whole = (least: number, most: number, what = "a whole number"): Reader<number> => ({
  mustBe: `${what} from ${least} to ${most}`,
  read: (text) =>
    Option.some(text).pipe(
      Option.filter((text) => /^\d{1,15}$/.test(text)),
      Option.map(Number),
      Option.filter((number) => number >= least && number <= most),
    ),
});

/** A number of processes. "auto" is one for each processor. */
export const workers: Reader<number> = {
  mustBe: 'a whole number from 1 to 64, or "auto"',
  read: (text) =>
    text === "auto" ? Option.some(Math.min(availableParallelism(), 64)) : whole(1, 64).read(text),
};

export const oneOf = <const A extends string>(...values: ReadonlyArray<A>): Reader<A> => ({
  mustBe: values.map((value) => `"${value}"`).join(" or "),
  read: (text) => Option.fromUndefinedOr(values.find((value) => value === text)),
});

/** A size, parsed to bytes. */
export const size: Reader<number> = {
  mustBe: 'a size of 1 byte or more, in bytes or with a unit ("1048576", "25 MiB")',
  read: (text) =>
    ByteSize.fromString(/^\d+$/.test(text) ? `${text} B` : text).pipe(
      Option.map(ByteSize.toBigInt),
      Option.filter((bytes) => bytes > 0n && bytes <= BigInt(Number.MAX_SAFE_INTEGER)),
      Option.map(Number),
    ),
};

/** An origin, without a trailing slash. */
export const origin: Reader<string> = {
  mustBe: 'an http or https address without a path ("https://quartermaster.example.com")',
  read: (text) =>
    Option.fromNullishOr(URL.parse(text)).pipe(
      Option.filter(({ protocol }) => protocol === "https:" || protocol === "http:"),
      Option.filter((url) => url.href === `${url.origin}/`),
      Option.map((url) => url.origin),
    ),
};

/** Origins, without trailing slashes. */
export const origins: Reader<ReadonlyArray<string>> = {
  mustBe:
    'http or https origins without a path, separated by commas ("https://agents.example.com, http://localhost:6274")',
  read: (text) => Option.all(text.split(",").map((part) => origin.read(part.trim()))),
};

const isAddressOrNet = (text: string) => {
  const [address = "", prefix, ...rest] = text.split("/");
  if (prefix === undefined) return isIP(address) !== 0;
  const bits = isIP(address) === 6 ? 128 : 32;
  return (
    rest.length === 0 && isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
  );
};

export const addresses: Reader<ReadonlyArray<string>> = {
  mustBe: 'IP addresses or networks, separated by commas ("10.0.0.7, 10.1.0.0/16")',
  read: (text) =>
    Option.some(text.split(",").map((part) => part.trim())).pipe(
      Option.filter((parts) => parts.every(isAddressOrNet)),
    ),
};

/** Host names, in lower case. */
export const hostNames: Reader<ReadonlyArray<string>> = {
  mustBe: 'host names, separated by commas ("mcp.corp.example, tools.corp.example")',
  read: (text) =>
    Option.some(text.split(",").map((part) => part.trim().toLowerCase())).pipe(
      Option.filter((names) =>
        names.every((name) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)),
      ),
    ),
};

/** Host names that the server is served at, each with an optional port. */
export const servedHosts: Reader<ReadonlyArray<string>> = {
  mustBe:
    'host names without a scheme, with or without a port, separated by commas ("quartermaster, tools.corp.example:7420")',
  read: (text) =>
    Option.some(text.split(",").map((part) => part.trim())).pipe(
      Option.filter((names) => names.every(ServedHost.isHost)),
    ),
};

/** Paths of files. */
export const files: Reader<ReadonlyArray<string>> = {
  mustBe: 'paths of files, separated by colons ("/etc/quartermaster/catalog.json")',
  read: (text) => Option.some(text.split(":").filter((path) => path.trim() !== "")),
};

/** Absolute paths of folders. */
export const folders: Reader<ReadonlyArray<string>> = {
  mustBe: 'absolute paths of folders, separated by colons ("/srv/notes:/srv/photos")',
  read: (text) =>
    Option.some(text.split(":").filter((path) => path.trim() !== "")).pipe(
      Option.filter((paths) => paths.every((path) => isAbsolute(path))),
    ),
};

/** A secret that is used as it is. */
export const longSecret: Reader<Redacted.Redacted> = {
  mustBe: "32 characters or more",
  read: (text) => {
    // HTTP removes the white space around the value of a header.
    const key = text.trim();
    return key.length >= 32
      ? Option.some(Redacted.make(key, { label: "admin key" }))
      : Option.none();
  },
};

/** Master keys of 32 bytes. */
export const keys: Reader<MasterKeys.KeyBytes> = {
  mustBe: MasterKeyFile.mustBe,
  read: MasterKeyFile.parse,
};
