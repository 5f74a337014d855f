import type { Finding } from "../capture.ts";
import { cutBeforeEntries, explainBeginning, noEntries, noList, noLog, notJson } from "./capture-errors.ts";
import { EntrySeeker } from "./entry-seeker.ts";
import { maxElements } from "./limits.ts";
import { parseHeld } from "./parse-held.ts";
import type { ScannedItem } from "./scanned-item.ts";
import { Skeleton } from "./skeleton.ts";
import { ValueCutter } from "./value-cutter.ts";

/** What is broken may be read again from its middle, this much in all: a file cannot make it take long. */
const maxReadAgainBytes = 8 * 2 ** 20;

const noBytes = new Uint8Array(0);

/** Told an entry without its response's body: whether that is wanted, too. */
export type WantsBody = (entry: unknown) => boolean;

/** Takes a HAR file apart, byte by byte, into what `log` has. Holds no more of it than one element. */
export class CaptureScanner {
  readonly #wantsBody: WantsBody | null;
  readonly #skeleton = new Skeleton();
  readonly #cutter = new ValueCutter();
  /** What is to be read, the next last: what is broken is read again from its middle. */
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
