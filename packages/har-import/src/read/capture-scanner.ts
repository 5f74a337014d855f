import { z } from "@bearhug/sdk/internal";

import type { Finding } from "../capture.ts";
import { maxElementBytes, maxElements, maxNesting } from "./held-bytes.ts";
import {
  cutBeforeEntries,
  explainBeginning,
  noEntries,
  noList,
  noLog,
  notJson,
  Skeleton,
} from "./skeleton.ts";
import { ValueCutter } from "./value-cutter.ts";

/** A part of a capture, in file order. What could not be read is a finding in its place. */
export type ScannedItem =
  /** A complete element of `log.entries`: any JSON. `index` counts those that are findings, too. */
  | { readonly kind: "entry"; readonly index: number; readonly json: unknown }
  /** A complete element of `log.pages`. In some files they come after the entries. */
  | { readonly kind: "page"; readonly index: number; readonly json: unknown }
  /** Any other member of `log`: `version`, `creator`, `browser`, `comment`, and what a recorder adds. */
  | { readonly kind: "member"; readonly name: string; readonly json: unknown }
  | { readonly kind: "finding"; readonly finding: Finding };

/** The bytes of a file, in pieces of any size. A piece need be good only until the next is asked for. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Bytes of broken JSON that may be read again, in total: bounds the time that a hostile file takes. */
const maxReadAgainBytes = 8 * 2 ** 20;

const noBytes = new Uint8Array(0);

/** Told an entry without its response's body: whether that is wanted, too. */
export type WantsBody = (entry: unknown) => boolean;

/** Takes a HAR file apart, byte by byte, into what `log` has. Holds no more of it than one element. */
export class CaptureScanner {
  readonly #wantsBody: WantsBody | null;
  readonly #skeleton = new Skeleton();
  readonly #cutter = new ValueCutter();
  /** Bytes still to be read, the next ones last: broken JSON is read again from its middle. */
  readonly #queue: Uint8Array[] = [];
  /** While a place is sought from which to go on, and what is broken. */
  #seeker: EntrySeeker | null = null;
  #broken: Finding = { path: "", problem: "" };
  #readAgainBytes = 0;
  readonly #counts = { entries: 0, pages: 0 };
  #hasCompleteEntry = false;
  #hasTooMany = false;

  /** @param wantsBody Which responses' bodies are wanted; null: none is. */
  constructor(wantsBody: WantsBody | null) {
    this.#wantsBody = wantsBody;
  }

  /** Nothing that follows in the file is of use. */
  get isDone(): boolean {
    return this.#hasTooMany || this.#skeleton.hasTrailing;
  }

  *push(chunk: Uint8Array): Generator<ScannedItem> {
    this.#queue.push(chunk);
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      yield* this.#scan(next);
    }
  }

  /**
   * The file has ended.
   *
   * @param size Its length in bytes.
   * @throws CaptureError when it was no capture.
   */
  *end(size: number): Generator<ScannedItem> {
    if (this.#hasTooMany) return;
    const isLost = this.#seeker !== null;
    // An entry that never ends may have others in it.
    while (this.#seeker === null && this.#isInEntry) {
      this.#giveUp(noBytes);
      yield* this.push(noBytes);
    }
    if (this.#seeker !== null || !this.#skeleton.isComplete) yield this.#explainEnd(isLost, size);
    else this.#checkWhole();
    if (this.#skeleton.hasTrailing) {
      yield foundAt("$", "has extra data after the end of the capture; ignored");
    }
  }

  *#scan(chunk: Uint8Array): Generator<ScannedItem> {
    if (this.#seeker !== null) {
      yield* this.#seekIn(chunk, this.#seeker);
      return;
    }
    let at = 0;
    while (at < chunk.length && !this.isDone) {
      if (this.#skeleton.cuts === null) {
        const step = this.#skeleton.step(chunk[at] ?? 0);
        if (step === "broken") {
          this.#giveUp(chunk.subarray(at));
          return;
        }
        if (step === "taken") at++;
        else this.#beginCut();
        continue;
      }
      const end = this.#cutter.take(chunk, at);
      if (end === null) return;
      at = end;
      if (this.#cutter.isBroken) {
        this.#giveUp(chunk.subarray(at));
        return;
      }
      yield* this.#endCut();
    }
  }

  #beginCut(): void {
    const { cuts, within, list } = this.#skeleton;
    const isKept = cuts === "key" || within !== "file";
    const isOneTooMany = list !== null && this.#counts[list] > maxElements;
    if (!isKept || isOneTooMany) this.#cutter.begin("nothing");
    else if (cuts === "key" || within !== "entries") this.#cutter.begin("value");
    else this.#cutter.begin(this.#wantsBody === null ? "entry without body" : "entry");
  }

  *#endCut(): Generator<ScannedItem> {
    const { cuts, within, list, name } = this.#skeleton;
    const path = this.#path();
    const findings: Finding[] = [];
    if (cuts === "key") {
      const key = parseHeld(this.#cutter, path, findings)?.json;
      this.#skeleton.endKey(typeof key === "string" ? key : "");
      return;
    }
    this.#skeleton.endValue();
    if (within === "file") return;
    if (list === null) {
      const member = parseHeld(this.#cutter, path, findings);
      yield* findings.map(asItem);
      if (member !== null) yield { kind: "member", name, json: member.json };
      return;
    }
    const index = this.#counts[list]++;
    if (index >= maxElements) {
      if (index === maxElements) yield foundAt(path, "exceeds the limit of 200,000; skipped from here on");
      this.#hasTooMany = list === "entries";
      return;
    }
    if (list === "entries") this.#hasCompleteEntry = true;
    const element = parseHeld(this.#cutter, path, findings, this.#wantsBody ?? undefined);
    yield* findings.map(asItem);
    if (element !== null) yield { kind: list === "entries" ? "entry" : "page", index, json: element.json };
  }

  get #isInEntry(): boolean {
    return this.#skeleton.within === "entries" && this.#skeleton.cuts === "value";
  }

  /** Path of what is being read. */
  #path(): string {
    const { list, within, name } = this.#skeleton;
    if (list !== null) return `$.log.${list}[${this.#counts[list]}]`;
    const isPlain = within === "log" && /^\w{1,40}$/.test(name);
    return isPlain ? `$.log.${name}` : "$.log";
  }

  /** Where brackets and strings make no sense any more, the next entry is sought: in what was held, and behind. */
  #giveUp(rest: Uint8Array): void {
    const { list, cuts, isBetween } = this.#skeleton;
    // What is broken between two elements is none of them.
    this.#broken =
      list !== null && isBetween
        ? { path: `$.log.${list}`, problem: "has invalid JSON between two elements; skipped" }
        : { path: this.#path(), problem: "is not valid JSON; skipped" };
    const held =
      cuts !== null && this.#readAgainBytes < maxReadAgainBytes ? this.#cutter.held.bytes() : noBytes;
    this.#readAgainBytes += held.length;
    this.#queue.push(rest, held);
    this.#seeker = new EntrySeeker(list === "entries" ? "entry" : "list of entries");
    if (list === "entries" && !isBetween) this.#counts.entries++;
  }

  *#seekIn(chunk: Uint8Array, seeker: EntrySeeker): Generator<ScannedItem> {
    const found = seeker.search(chunk);
    if (found === null) return;
    this.#seeker = null;
    this.#skeleton.resumeInEntries();
    this.#queue.push(found);
    yield { kind: "finding", finding: this.#broken };
  }

  #explainEnd(isLost: boolean, size: number): ScannedItem {
    if (this.#skeleton.within === "start") throw explainBeginning(this.#skeleton.beginning);
    if (!this.#hasCompleteEntry) throw isLost ? notJson() : cutBeforeEntries(size);
    const path = this.#seeker === null ? `$.log.entries[${this.#counts.entries}]` : this.#broken.path;
    const where = isLost ? "is not valid JSON from here on" : `is truncated at byte ${size}`;
    return foundAt(path, `the file ${where}; only the entries before it were read`);
  }

  #checkWhole(): void {
    if (!this.#skeleton.hasLog) throw noLog();
    if (!this.#skeleton.hasEntries) throw noList();
    if (this.#counts.entries === 0) throw noEntries();
  }
}

function foundAt(path: string, problem: string): ScannedItem {
  return { kind: "finding", finding: { path, problem } };
}

function asItem(finding: Finding): ScannedItem {
  return { kind: "finding", finding };
}

/** Longer than what is sought can be; space between its parts counts up to here. */
const longestMatch = 512;

/** Keys with which recorders begin an entry. No list within an entry has elements that begin with one. */
const firstKeys = [
  "pageref",
  "startedDateTime",
  "request",
  "response",
  "cache",
  "timings",
  "connection",
  "serverIPAddress",
  "_[A-Za-z]\\w{0,60}",
];

const space = "[ \\t\\r\\n]{0,64}";
const entryStart = new RegExp(`,${space}(?=\\{${space}"(?:${firstKeys.join("|")})"${space}:)`);
const listStart = new RegExp(`"entries"${space}:${space}\\[`);

/**
 * Finds where reading can go on in a file that is broken: the next entry, or the list of them. In a string of JSON
 * quotes are escaped, so that neither can be found in one.
 */
class EntrySeeker {
  readonly #pattern: RegExp;
  /** The last bytes that were searched: a match may begin in them. */
  #tail: Uint8Array = new Uint8Array(0);

  constructor(what: "entry" | "list of entries") {
    this.#pattern = what === "entry" ? entryStart : listStart;
  }

  /** The bytes from which to read on: from an entry's bracket, or behind the list's. null: not yet found. */
  search(chunk: Uint8Array): Uint8Array | null {
    const bytes = new Uint8Array(this.#tail.length + chunk.length);
    bytes.set(this.#tail);
    bytes.set(chunk, this.#tail.length);
    // One character for each byte.
    const found = this.#pattern.exec(new TextDecoder("latin1").decode(bytes));
    this.#tail = bytes.slice(-longestMatch);
    return found === null ? null : bytes.subarray(found.index + found[0].length);
  }
}

const maxMiB = maxElementBytes / 2 ** 20;

const entryWithBody = z.compile(z.object({ response: z.object({ content: z.object({ text: z.null() }) }) }));

/**
 * The JSON that was cut out; null where it cannot be used, which is then a finding.
 *
 * @param wantsBody Asked about an entry without its response's body: whether that is to be put into it.
 */
function parseHeld(
  { held, isTooDeep }: ValueCutter,
  path: string,
  findings: Finding[],
  wantsBody: (json: unknown) => boolean = () => false,
): { readonly json: unknown } | null {
  const report = (at: string, problem: string): null => {
    findings.push({ path: at, problem });
    return null;
  };
  if (held.isTooLarge) return report(path, `is larger than ${maxMiB} MiB; skipped`);
  if (isTooDeep) return report(path, `is nested more than ${maxNesting} levels deep; skipped`);
  const value = tryParse(held.text());
  if (value === undefined) return report(path, "is not valid JSON; skipped");

  const bodyPath = `${path}.response.content.text`;
  if (held.hasTooLargeBody) {
    report(bodyPath, `makes the entry larger than ${maxMiB} MiB; body skipped`);
    return { json: value };
  }
  const bodyText = wantsBody(value) ? held.bodyText() : null;
  if (bodyText === null) return { json: value };
  const body = tryParse(bodyText);
  if (typeof body === "string") putBody(value, body);
  else report(bodyPath, "is not valid JSON; body skipped");
  return { json: value };
}

/** undefined when the text is not JSON. The engine's own words are of no use: they quote the file, which has secrets. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value is this file's own, fresh from the parser: it is completed, not changed. */
function putBody(value: unknown, body: string): void {
  if (!entryWithBody.safeParse(value).success) return;
  const { response } = value as { response: { content: { text: unknown } } };
  response.content.text = body;
}
