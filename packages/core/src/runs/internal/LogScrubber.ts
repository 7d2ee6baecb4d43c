import * as Scrubber from "../../mcp/values/Scrubber.ts";
import type { LogStream } from "../RunLog.ts";

/**
 * Removes secrets from entries of a log: API keys, and whole values of 16 characters or more. The
 * entries of a stream are read as one text, so a secret may be split over several, also over
 * requests: the tail of a stream is its end that may be the start of a secret.
 */

/** The replacement for a secret. */
export const marker = "[secret]";

export const tooMany =
  "[quartermaster] The rest of this request was dropped: it has more than 100 secrets.";

const maxSecrets = 100;
const minSecret = 16;
const maxTail = 4_096;

/** Keys of this service, and other texts of their form, whose end is not known. */
const keys = /qm_[0-9A-Z]{26}_[0-9a-f]{64}/g;
const likeKeys = /qm_(?![0-9A-Z]{26}_)[A-Za-z0-9]{1,64}_[A-Za-z0-9]{16,256}/g;
const startOfKey = /(?:q|qm|qm_[0-9A-Z]{0,26}|qm_[0-9A-Z]{26}_[0-9a-f]{0,63})$/;

interface Entry {
  readonly stream: LogStream;
  readonly text: string;
}

type Tails = Readonly<Partial<Record<LogStream, string>>>;

export interface Scrubbed<E> {
  readonly entries: ReadonlyArray<E & { readonly isScrubbed: boolean }>;
  /** The number of last entries that were dropped. */
  readonly dropped: number;
  readonly tails: Tails;
  /** The characters to cut from the end of stored streams. A marker takes their place. */
  readonly cuts: Readonly<Partial<Record<LogStream, number>>>;
}

/** The texts to find for these values. Entries are lines, so a value may come without its line breaks. */
export const formsOf = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  [
    ...new Set(
      values
        .filter(({ length }) => length >= minSecret)
        .flatMap((value) => [
          ...Scrubber.encodedForms(value),
          value.replaceAll(/\r?\n/g, ""),
          value.trim(),
        ]),
    ),
  ].filter(({ length }) => length >= minSecret);

interface Range {
  readonly start: number;
  readonly end: number;
}

const matchesIn = (text: string, pattern: RegExp, offset = 0): ReadonlyArray<Range> =>
  [...text.matchAll(pattern)].map(({ 0: key, index }) => ({
    start: offset + index,
    end: offset + index + key.length,
  }));

/** The secrets in the texts of a stream, which follow its tail. */
const rangesIn = (
  tail: string,
  texts: ReadonlyArray<string>,
  forms: ReadonlyArray<string>,
): ReadonlyArray<Range> => {
  const text = tail + texts.join("");
  const found: Array<Range> = [...matchesIn(text, keys)];
  for (const form of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      found.push({ start: at, end: at + form.length });
    }
  }
  let offset = tail.length;
  for (const one of texts) {
    found.push(...matchesIn(one, likeKeys, offset));
    offset += one.length;
  }
  const merged: Array<Range> = [];
  for (const range of found.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) merged.push(range);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return merged;
};

/** The end of a text that may be the start of a secret. */
const tailOf = (text: string, forms: ReadonlyArray<string>): string => {
  const end = text.slice(-maxTail);
  let longest = startOfKey.exec(end)?.[0].length ?? 0;
  for (const form of forms) {
    for (let size = Math.min(form.length - 1, end.length); size > longest; size--) {
      if (end[end.length - size] === form[0] && end.endsWith(form.slice(0, size))) longest = size;
    }
  }
  return longest === 0 ? "" : end.slice(-longest);
};

/** A part of an entry to remove. Only its first part is replaced by the marker. */
interface Cut extends Range {
  readonly isFirst: boolean;
}

/** The parts to remove from each entry, by stream and in order. */
const cutsOf = (
  entries: ReadonlyArray<Entry>,
  ranges: ReadonlyArray<Range>,
  stream: LogStream,
  tail: number,
): ReadonlyMap<number, ReadonlyArray<Cut>> => {
  const cuts = new Map<number, Array<Cut>>();
  let start = tail;
  let next = 0;
  for (const [index, entry] of entries.entries()) {
    if (entry.stream !== stream) continue;
    const end = start + entry.text.length;
    for (let at = next; at < ranges.length; at++) {
      const range = ranges[at];
      if (range === undefined || range.start >= end) break;
      if (range.end <= end) next = at + 1;
      if (range.end <= start) continue;
      const from = Math.max(range.start, start);
      const cut = {
        start: from - start,
        end: Math.min(range.end, end) - start,
        isFirst: range.start >= start,
      };
      cuts.set(index, [...(cuts.get(index) ?? []), cut]);
    }
    start = end;
  }
  return cuts;
};

/** Removes the cuts from a text. `room` is how many markers the request may still have. */
const withoutCuts = (text: string, cuts: ReadonlyArray<Cut>, room: number) => {
  let result = "";
  let done = 0;
  let markers = 0;
  for (const { end, isFirst, start } of cuts) {
    result += text.slice(done, start);
    if (isFirst && markers === room) return { text: `${result}${tooMany}`, markers, isFull: true };
    if (isFirst) {
      result += marker;
      markers += 1;
    }
    done = end;
  }
  return { text: result + text.slice(done), markers, isFull: false };
};

/** Scrubs the new entries of a writer, whose streams end in `tails`. */
export const scrub = <E extends Entry>(
  entries: ReadonlyArray<E>,
  tails: Tails,
  forms: ReadonlyArray<string>,
): Scrubbed<E> => {
  const newTails: Partial<Record<LogStream, string>> = { ...tails };
  const storedCuts: Partial<Record<LogStream, number>> = {};
  const cuts = new Map<number, ReadonlyArray<Cut>>();
  for (const stream of new Set(entries.map((entry) => entry.stream))) {
    const tail = tails[stream] ?? "";
    const texts = entries.filter((entry) => entry.stream === stream).map(({ text }) => text);
    const whole = tail + texts.join("");
    const ranges = rangesIn(tail, texts, forms);
    const [first] = ranges;
    if (first !== undefined && first.start < tail.length) {
      storedCuts[stream] = tail.length - first.start;
    }
    for (const [index, found] of cutsOf(entries, ranges, stream, tail.length))
      cuts.set(index, found);
    newTails[stream] = tailOf(whole.slice(ranges.at(-1)?.end ?? 0), forms);
  }

  const scrubbed: Array<E & { readonly isScrubbed: boolean }> = [];
  let markers = Object.keys(storedCuts).length;
  for (const [index, entry] of entries.entries()) {
    const found = cuts.get(index);
    if (found === undefined) {
      scrubbed.push({ ...entry, isScrubbed: false });
      continue;
    }
    const result = withoutCuts(entry.text, found, maxSecrets - markers);
    markers += result.markers;
    scrubbed.push({ ...entry, text: result.text, isScrubbed: true });
    if (result.isFull) {
      const dropped = entries.length - scrubbed.length;
      return { entries: scrubbed, dropped, tails: {}, cuts: storedCuts };
    }
  }
  return { entries: scrubbed, dropped: 0, tails: newTails, cuts: storedCuts };
};
