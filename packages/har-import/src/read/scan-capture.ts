import { z } from "@bearhug/sdk/internal";
import { tryJson } from "@bearhug/text/try-json";

import { CaptureError, type Finding } from "../capture.ts";
import { maxElementBytes, maxNesting, ValueCutter } from "./value-cutter.ts";
import {
  cutBeforeEntries,
  EntrySeeker,
  explainBeginning,
  noEntries,
  noList,
  noLog,
  notJson,
  Skeleton,
} from "./skeleton.ts";

/** An item of a capture, in file order. A part that could not be read is a finding in its place. */
export type ScannedItem =
  /** A complete element of `log.entries`: any JSON. `index` also counts elements that are findings. */
  | { readonly kind: "entry"; readonly index: number; readonly json: unknown }
  /** A complete element of `log.pages`. In some files they come after the entries. */
  | { readonly kind: "page"; readonly index: number; readonly json: unknown }
  /** Any other member of `log`: `version`, `creator`, `browser`, `comment`, and what a recorder adds. */
  | { readonly kind: "member"; readonly name: string; readonly json: unknown }
  | { readonly kind: "finding"; readonly finding: Finding };

/**
 * The bytes of a file, in pieces of any size. A piece only has to stay valid until the next one is requested.
 */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Returns true if the response's body is wanted, too. Called with the entry without that body. */
type NeedsBody = (entry: unknown) => boolean;

interface ScanOptions {
  /**
   * Selects the responses whose bodies are read: all, none, or those for whose entry, passed without the
   * body, the function returns true. For the others `response.content.text` is null, and nothing is held.
   * @default true
   */
  readonly bodies?: boolean | NeedsBody;
}

/**
 * Splits a HAR file as it arrives: the elements of `log.entries` and `log.pages` and the other members of
 * `log`, in file order, one at a time. A broken part is a finding, and the rest is read.
 *
 * @throws CaptureError when the file as a whole is not a capture, perhaps only at its end.
 */
export async function* scanCapture(
  chunks: Chunks,
  { bodies = true }: ScanOptions = {},
): AsyncGenerator<ScannedItem> {
  const needsBody = typeof bodies === "boolean" ? () => bodies : bodies;
  const scanner = new CaptureScanner(bodies === false ? null : needsBody);
  const size = { bytes: 0 };
  for await (const chunk of utf8Bytes(counted(chunks, size))) {
    yield* scanner.push(chunk);
    if (scanner.isDone) break;
  }
  yield* scanner.end(size.bytes);
}

/** Most elements of each list: bounds the memory that a hostile file takes. */
const maxElements = 200_000;
/** Bytes of broken JSON that may be read again, in total: bounds the time that a hostile file takes. */
const maxReadAgainBytes = 8 * 2 ** 20;

const noBytes = new Uint8Array(0);

/** Splits a HAR file, byte by byte, into the items of `log`. Holds at most one element at a time. */
class CaptureScanner {
  readonly #needsBody: NeedsBody | null;
  readonly #skeleton = new Skeleton();
  readonly #cutter = new ValueCutter();
  /** Bytes still to be read, the next ones last: broken JSON is read again from its middle. */
  readonly #queue: Uint8Array[] = [];
  /**
   * Searches for a place to resume after invalid JSON; null while the JSON is valid. The finding describes the
   * invalid part.
   */
  #seeker: EntrySeeker | null = null;
  #broken: Finding = { path: "", problem: "" };
  #readAgainBytes = 0;
  readonly #counts = { entries: 0, pages: 0 };
  #hasCompleteEntry = false;
  #hasTooMany = false;

  /** @param needsBody Selects the responses whose bodies are read; null: none. */
  constructor(needsBody: NeedsBody | null) {
    this.#needsBody = needsBody;
  }

  /** True if nothing that follows in the file is of use. */
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
   * Ends the scan: the file has no more bytes.
   *
   * @param size The length of the file in bytes.
   * @throws CaptureError when the file is not a capture.
   */
  *end(size: number): Generator<ScannedItem> {
    if (this.#hasTooMany) return;
    const isLost = this.#seeker !== null;
    // An entry that never ends may contain other entries.
    while (this.#seeker === null && this.#isInEntry()) {
      this.#recover(noBytes);
      yield* this.push(noBytes);
    }
    if (this.#seeker !== null || !this.#skeleton.isComplete) yield this.#explainEnd(isLost, size);
    else this.#checkComplete();
    if (this.#skeleton.hasTrailing) {
      yield findingAt("$", "has extra data after the end of the capture; ignored");
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
          this.#recover(chunk.subarray(at));
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
        this.#recover(chunk.subarray(at));
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
    else this.#cutter.begin(this.#needsBody === null ? "entry without body" : "entry");
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
      if (index === maxElements) yield findingAt(path, "exceeds the limit of 200,000; skipped from here on");
      this.#hasTooMany = list === "entries";
      return;
    }
    if (list === "entries") this.#hasCompleteEntry = true;
    const element = parseHeld(this.#cutter, path, findings, this.#needsBody ?? undefined);
    yield* findings.map(asItem);
    if (element !== null) yield { kind: list === "entries" ? "entry" : "page", index, json: element.json };
  }

  #isInEntry(): boolean {
    return this.#skeleton.within === "entries" && this.#skeleton.cuts === "value";
  }

  /** Returns the JSON path of the value being read. */
  #path(): string {
    const { list, within, name } = this.#skeleton;
    if (list !== null) return `$.log.${list}[${this.#counts[list]}]`;
    const isPlain = within === "log" && /^\w{1,40}$/.test(name);
    return isPlain ? `$.log.${name}` : "$.log";
  }

  /** Handles invalid JSON: searches for the next entry, first in the bytes held so far, then in the rest. */
  #recover(rest: Uint8Array): void {
    const { list, cuts, isBetween } = this.#skeleton;
    // Invalid JSON between two elements is not an element itself.
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
    return findingAt(path, `the file ${where}; only the entries before it were read`);
  }

  #checkComplete(): void {
    if (!this.#skeleton.hasLog) throw noLog();
    if (!this.#skeleton.hasEntries) throw noList();
    if (this.#counts.entries === 0) throw noEntries();
  }
}

function findingAt(path: string, problem: string): ScannedItem {
  return { kind: "finding", finding: { path, problem } };
}

function asItem(finding: Finding): ScannedItem {
  return { kind: "finding", finding };
}

const maxMiB = maxElementBytes / 2 ** 20;

const entryWithBody = z.compile(z.object({ response: z.object({ content: z.object({ text: z.null() }) }) }));

/**
 * Parses the JSON that was cut out; null if it cannot be used, which is reported as a finding.
 *
 * @param needsBody Returns true to insert the response's body. Called with the entry without it.
 */
function parseHeld(
  { held, isTooDeep }: ValueCutter,
  path: string,
  findings: Finding[],
  needsBody: (json: unknown) => boolean = () => false,
): { readonly json: unknown } | null {
  const report = (at: string, problem: string): null => {
    findings.push({ path: at, problem });
    return null;
  };
  if (held.isTooLarge) return report(path, `is larger than ${maxMiB} MiB; skipped`);
  if (isTooDeep) return report(path, `is nested more than ${maxNesting} levels deep; skipped`);
  // The parser's error is of no use: it quotes the file, which has secrets.
  const value = tryJson(held.text());
  if (value === undefined) return report(path, "is not valid JSON; skipped");

  const bodyPath = `${path}.response.content.text`;
  if (held.hasTooLargeBody) {
    report(bodyPath, `makes the entry larger than ${maxMiB} MiB; body skipped`);
    return { json: value };
  }
  const bodyText = needsBody(value) ? held.bodyText() : null;
  if (bodyText === null) return { json: value };
  const body = tryJson(bodyText);
  if (typeof body === "string") putBody(value, body);
  else report(bodyPath, "is not valid JSON; body skipped");
  return { json: value };
}

/** Completes the value in place: it comes fresh from the parser, and nothing else refers to it. */
function putBody(value: unknown, body: string): void {
  if (!entryWithBody.safeParse(value).success) return;
  const { response } = value as { response: { content: { text: unknown } } };
  response.content.text = body;
}

async function* counted(chunks: Chunks, size: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    size.bytes += chunk.length;
    yield chunk;
  }
}

/** Enough bytes to recognize a byte order mark, an encoding or an archive. */
const signatureBytes = 4;

/**
 * Yields the bytes of a file as UTF-8 without a byte order mark. Transcodes UTF-16, which its mark or its
 * first characters reveal.
 */
async function* utf8Bytes(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let transcode: ((chunk?: Uint8Array) => Uint8Array) | null = null;
  let head: Uint8Array = new Uint8Array(0);
  let isKnown = false;
  for await (const chunk of chunks) {
    if (isKnown) {
      yield transcode === null ? chunk : transcode(chunk);
      continue;
    }
    head = concatenate(head, chunk);
    if (head.length < signatureBytes) continue;
    isKnown = true;
    transcode = chooseTranscoder(head);
    yield transcode === null ? withoutMark(head) : transcode(head);
  }
  if (!isKnown) {
    transcode = chooseTranscoder(head);
    yield transcode === null ? withoutMark(head) : transcode(head);
  }
  if (transcode !== null) yield transcode();
}

function chooseTranscoder([first, second]: Uint8Array): ((chunk?: Uint8Array) => Uint8Array) | null {
  if (first === 0x1f && second === 0x8b) {
    throw new CaptureError("The capture is compressed with gzip. Unpack it first (gunzip).");
  }
  if (first === 0x50 && second === 0x4b) {
    throw new CaptureError("The capture is a zip archive. Unpack it and pass the .har file inside.");
  }
  // A capture begins with an ASCII character, which in UTF-16 has a zero byte beside it, even without a mark.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return transcoderOf("utf-16le");
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return transcoderOf("utf-16be");
  return null;
}

function transcoderOf(encoding: string): (chunk?: Uint8Array) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  return (chunk) =>
    encoder.encode(chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }));
}

function withoutMark(head: Uint8Array): Uint8Array {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

function concatenate(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
