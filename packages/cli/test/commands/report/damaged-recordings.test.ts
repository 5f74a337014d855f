import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { findContradictions } from "@bearhug/engine/outcome/contradictions/find-contradictions";
import type { RecordedMoment } from "@bearhug/engine/outcome/run-record";
import { InvalidInput, parseResult, type TestResult } from "@bearhug/sdk";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { mergeInputs } from "../../../src/commands/report/merge.ts";
import { openInputs } from "../../../src/commands/report/merge-inputs.ts";
import { parseSaved, readResult } from "../../../src/commands/report/report.ts";
import { formatMomentLine, formatHeadLine } from "../../../../engine/src/recording/lines.ts";
import {
  inputOf,
  partOf,
  samplesOfSecond,
  seconds,
  stateOf,
} from "../../../../engine/test/outcome/merge/parts.ts";

const folder = mkdtempSync(join(tmpdir(), "bearhug-test-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Returns the moments of a shard, with totals that grow with its samples. */
function momentsOf(index: number): RecordedMoment[] {
  return Array.from({ length: seconds }, (_, second) => {
    const total = samplesOfSecond * (second + 1);
    const isEnd = second === seconds - 1;
    const end = stateOf(1);
    const none = { failed: 0, interrupted: 0, lost: 0 };
    return {
      inputs: [inputOf(0, second, index)],
      places: [],
      isEnd,
      state: {
        ...end,
        durationMs: (second + 1) * 1000,
        isLoadOver: isEnd,
        workers: [{ id: 0, lost: null, isRunning: !isEnd }],
        accounting: {
          ...end.accounting,
          iterations: { scheduled: total, started: total, completed: total, dropped: 0, ...none },
          requests: [{ name: "GET /", started: total, sent: total, succeeded: total, ...none }],
        },
      },
    };
  });
}

/** Returns the lines of a recording; those of earlier releases have no numbers. */
function linesOf(index: number, areNumbered: boolean): string[] {
  const { run } = partOf({ index, count: 2 });
  const lines = momentsOf(index).map((moment, at) => formatMomentLine(moment, at + 1));
  return [
    formatHeadLine(run, { pid: 1, host: "elsewhere" }),
    ...(areNumbered ? lines : lines.map((line) => line.replace(/^\{"number":\d+,/, "{"))),
  ];
}

function compress(lines: readonly string[]): Buffer {
  return Buffer.concat(lines.map((line) => gzipSync(line)));
}

function write(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const sound = write("sound.bearhug", compress(linesOf(0, true)));
const recording = { true: linesOf(1, true), false: linesOf(1, false) } as const;

async function merge(damaged: string, allowsPartial: boolean): Promise<TestResult | InvalidInput> {
  try {
    return await mergeInputs(await openInputs([sound, damaged]), allowsPartial);
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): InvalidInput {
  if (error instanceof InvalidInput) return error;
  throw error;
}

/** A fault that may happen to a file in storage or transit. */
interface Fault {
  readonly kind: "flip" | "drop" | "double" | "swap" | "cut" | "rubbish";
  readonly at: number;
  readonly bit: number;
}

const anyFault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom("flip", "flip", "drop", "double", "swap", "cut", "rubbish"),
  at: fc.nat(1_000_000),
  bit: fc.nat(7),
});

function damagedRecording(lines: readonly string[], { kind, at, bit }: Fault): Buffer {
  const left = [...lines];
  const line = 1 + (at % seconds);
  if (kind === "drop") left.splice(line, 1);
  if (kind === "double") left.splice(line, 0, left[line] ?? "");
  if (kind === "swap") left.splice(line - 1, 2, ...left.slice(line - 1, line + 1).reverse());
  const bytes = compress(left);
  if (kind === "cut") return bytes.subarray(0, at % bytes.length);
  if (kind === "rubbish") return Buffer.concat([bytes, Buffer.from(`rubbish ${at}`)]);
  if (kind === "flip") flip(bytes, at, bit);
  return bytes;
}

function damagedText(text: Buffer, { kind, at, bit }: Fault, length: number): string {
  const start = at % text.length;
  const [before, some, after] = [
    text.subarray(0, start),
    text.subarray(start, start + length),
    text.subarray(start + length),
  ];
  const bytes = {
    flip: [text],
    drop: [before, after],
    double: [before, some, some, after],
    swap: [before, after, some],
    cut: [before],
    rubbish: [text, some],
  }[kind];
  const damaged = Buffer.concat(bytes);
  if (kind === "flip") flip(damaged, at, bit);
  return damaged.toString("utf8");
}

function flip(bytes: Buffer, at: number, bit: number): void {
  const place = at % bytes.length;
  bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
}

/** The result of whole recordings. */
let whole: TestResult;
beforeAll(async () => {
  const merged = await merge(write("whole.bearhug", compress(recording.true)), false);
  if (merged instanceof InvalidInput) throw merged;
  whole = merged;
});

/** Expects each problem to be a sentence on one line. */
function expectSentences({ problems }: InvalidInput): void {
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/^[^\n]+[.?]$/);
}

test("whatever happens to a recording, a merge refuses it, names the loss, or gives the very same result", async () => {
  await fc.assert(
    fc.asyncProperty(anyFault, fc.boolean(), fc.boolean(), async (fault, areNumbered, allowsPartial) => {
      const path = write("damaged.bearhug", damagedRecording(recording[`${areNumbered}`], fault));
      const merged = await merge(path, allowsPartial);
      if (merged instanceof InvalidInput) {
        expectSentences(merged);
        return;
      }
      expect(findContradictions(merged)).toEqual([]);
      const { partial, ...rest } = merged;
      if (partial !== undefined) expect(partial).toEqual([expect.stringContaining("damaged.bearhug")]);
      else if (rest.exitCode === 0) expect(rest).toEqual(whole);
      else {
        expect(rest.exitCode).toBe(109);
        expect(rest.messages.join()).toContain("damaged.bearhug");
      }
    }),
    { numRuns: 60, examples: [[{ kind: "drop", at: 0, bit: 0 }, false, true]] },
  );
});

test("whatever happens to a recording, its report refuses it or says where it ends", async () => {
  await fc.assert(
    fc.asyncProperty(anyFault, fc.boolean(), async (fault, areNumbered) => {
      const path = write("alone.bearhug", damagedRecording(recording[`${areNumbered}`], fault));
      const result = await readResult(path).catch(refusalOf);
      if (result instanceof InvalidInput) {
        expectSentences(result);
        return;
      }
      if (result.truncated) {
        expect(result.exitCode).toBe(109);
        expect(result.messages[0]).toMatch(
          /^the (run was killed|recording is damaged (at byte \d+ of \d+|in line \d+),) /,
        );
      } else expect(result.accounting.requests[0]?.succeeded).toBe(seconds * samplesOfSecond);
      expect(findContradictions(result)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test("whatever happens to a result, its report refuses it or keeps its verdict", () => {
  const red = { ...whole, verdict: "errored", exitCode: 109, messages: ["worker 0 was lost: it was"] };
  for (const result of [whole, red]) {
    const text = Buffer.from(JSON.stringify(result, null, 2));
    fc.assert(
      fc.property(anyFault, fc.nat(400), (fault, length) => {
        try {
          const read = parseSaved("result.json", damagedText(text, fault, length));
          expect([read.verdict, read.exitCode]).toEqual([result.verdict, result.exitCode]);
        } catch (error) {
          expectSentences(refusalOf(error));
        }
      }),
      { numRuns: 200 },
    );
  }
});

test("a lost part is named in the result, which can be reported again", async () => {
  const path = write("cut.bearhug", compress(recording.true.slice(0, 4)));
  const merged = await merge(path, true);
  if (merged instanceof InvalidInput) throw merged;
  const lost = `shard 2 of 2 was lost after 3 s of load: ${path} ends there: its process was killed, or the copy is incomplete`;
  expect(merged).toMatchObject({ verdict: "passed", exitCode: 0, messages: [], partial: [lost] });
  const read = parseSaved("again.json", JSON.stringify(merged));
  expect(read).toEqual(parseResult(JSON.parse(JSON.stringify(merged))).result);
  expect(await merge(path, false)).toMatchObject({ verdict: "errored", exitCode: 109, messages: [lost] });
});

test("a result that begins with a byte order mark is read", () => {
  expect(parseSaved("result.json", `\u{feff}${JSON.stringify(whole)}`)).toMatchObject({ verdict: "passed" });
});

test("a missing or duplicate line is named, and so is a broken byte", async () => {
  const { true: lines, false: old } = recording;
  const path = join(folder, "named.bearhug");
  const remedy = "Copy it again from where it was recorded.";
  const expectRefused = async (left: readonly string[], problem: string): Promise<void> => {
    const merged = await merge(write("named.bearhug", compress(left)), true);
    expect(merged).toMatchObject({ problems: [`${path} is damaged: ${problem}. ${remedy}`] });
  };
  await expectRefused(lines.toSpliced(5, 1), "its line 6 is missing");
  await expectRefused(lines.toSpliced(5, 0, lines[5] ?? ""), "its line 6 is there twice");
  await expectRefused(old.toSpliced(5, 1), "it has samples of 220 requests, but counts 240");
  const bytes = compress(lines);
  const at = compress(lines.slice(0, 5)).length;
  flip(bytes, at + 40, 3);
  expect(await merge(write("named.bearhug", bytes), true)).toMatchObject({
    partial: [`shard 2 of 2 was lost after 4 s of load: ${path} is damaged at byte ${at} of ${bytes.length}`],
  });
});
