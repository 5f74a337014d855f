import { expect, test } from "vitest";
import type { Finding } from "../../src/index.ts";
import { readCapture } from "../../src/read/read-capture.ts";

const encoder = new TextEncoder();
const good = '{"request":{"method":"GET","url":"https://shop.example/"}}';

/** Generates a file with these entries in chunks, so that the whole file is never in memory. */
function* fileOf(entries: Iterable<string>): Generator<Uint8Array> {
  yield encoder.encode('{"log":{"entries":[');
  let isFirst = true;
  for (const entry of entries) {
    yield encoder.encode(isFirst ? entry : `,${entry}`);
    isFirst = false;
  }
  yield encoder.encode("]}}");
}

async function findingsOf(
  entries: Iterable<string>,
): Promise<{ findings: readonly Finding[]; kept: number[] }> {
  const { findings, entries: read } = await readCapture(fileOf(entries));
  return { findings, kept: read.map(({ index }) => index) };
}

test("an entry may be nested 64 levels deep, but not deeper", async () => {
  const nested = (depth: number): string => {
    const lists = depth - 1;
    return `${good.slice(0, -1)},"_deep":${"[".repeat(lists)}${"]".repeat(lists)}}`;
  };
  const { findings, kept } = await findingsOf([nested(64), nested(65), nested(5_000), good]);
  expect(kept).toEqual([0, 3]);
  const problem = "is nested more than 64 levels deep; skipped";
  expect(findings).toEqual([
    { path: "$.log.entries[1]", problem },
    { path: "$.log.entries[2]", problem },
  ]);
});

test("an entry of more than 32 MiB is skipped; if its body is the cause, only the body is", async () => {
  const long = "a".repeat(33 * 2 ** 20);
  const { findings, kept } = await findingsOf([
    `${good.slice(0, -1)},"comment":"${long}"}`,
    `${good.slice(0, -1)},"response":{"status":200,"content":{"text":"${long}"}}}`,
    good,
  ]);
  expect(kept).toEqual([1, 2]);
  expect(findings).toEqual([
    { path: "$.log.entries[0]", problem: "is larger than 32 MiB; skipped" },
    {
      path: "$.log.entries[1].response.content.text",
      problem: "makes the entry larger than 32 MiB; body skipped",
    },
  ]);
});

test("only the first 200,000 entries are read, and the rest of the file is not", async () => {
  function* many(): Generator<string> {
    const thousand = Array.from({ length: 1000 }, () => "0").join(",");
    for (let count = 0; count < 200; count++) yield thousand;
    yield good;
    throw new Error("the rest of the file was read");
  }
  const { findings } = await findingsOf(many());
  expect(findings).toHaveLength(200_001);
  expect(findings.at(-1)).toEqual({
    path: "$.log.entries[200000]",
    problem: "exceeds the limit of 200,000; skipped from here on",
  });
});

test("a file with many broken entries is read in less than 20 s of CPU time", async () => {
  const broken = '{"request":[1,'.repeat(60);
  const usage = process.cpuUsage();
  const { findings } = await findingsOf([good, ...Array.from({ length: 500 }, () => `${broken}%`), good]);
  expect(findings.length).toBeGreaterThan(0);
  expect(process.cpuUsage(usage).user).toBeLessThan(20_000_000);
});

test("a large file read without bodies results in a small capture", async () => {
  const body = "b".repeat(2 ** 20);
  function* bodies(): Generator<string> {
    for (let count = 0; count < 64; count++) {
      yield `${good.slice(0, -1)},"response":{"status":200,"content":{"text":"${body}"}}}`;
    }
  }
  const capture = await readCapture(fileOf(bodies()), { bodies: false });
  expect(capture.entries).toHaveLength(64);
  expect(JSON.stringify(capture).length).toBeLessThan(100_000);
});
