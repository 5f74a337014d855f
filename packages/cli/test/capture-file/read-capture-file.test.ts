import { spawnSync } from "node:child_process";
import {
  chmodSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { InvalidInput } from "@bearhug/sdk";
import { afterAll, describe, expect, test } from "vitest";

import {
  gunzipped,
  openCapture,
  readCaptureFile,
  withCapture,
} from "../../src/capture-file/read-capture-file.ts";
import { zipOf } from "./zip-of.ts";

const folder = mkdtempSync(join(tmpdir(), "bearhug-capture-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function fileOf(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function harOf(...contents: readonly unknown[]): string {
  const entries = contents.map((content, index) => ({
    startedDateTime: "2026-01-01T00:00:00.000Z",
    request: { method: "GET", url: `https://shop.example/${index}` },
    response: { status: 200, content },
  }));
  return JSON.stringify({ log: { entries } });
}

const har = harOf({ text: "hello" }, { text: "bye" });
const hash = "da39a3ee5e6b4b0d3255bfef95601890afd80709";

async function bodiesOf(path: string): Promise<unknown[]> {
  return (await readCaptureFile(path)).entries.map(({ response }) => response?.body);
}

async function problemOf(path: string): Promise<string> {
  const error: unknown = await readCaptureFile(path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidInput);
  return (error as InvalidInput).message;
}

test.each([
  ["plain.har", har],
  ["packed.har.gz", gzipSync(har)],
  ["packed-but-called.har", gzipSync(har)],
  ["playwright.har.zip", zipOf({ "har.har": har })],
  ["other.zip", zipOf({ "__MACOSX/._shop.har": "x", "recorded/shop.HAR": har, "readme.txt": "" })],
])("%s is read in the format of its first bytes", async (name, content) => {
  expect(await bodiesOf(fileOf(name, content))).toEqual([{ text: "hello" }, { text: "bye" }]);
});

test("a capture can be read several times", async () => {
  for (const [name, content] of [
    ["again.har", har],
    ["again.har.gz", gzipSync(har)],
    ["again.zip", zipOf({ "har.har": har })],
  ] as const) {
    await withCapture(fileOf(name, content), async ({ open }) => {
      for (let count = 0; count < 3; count++) {
        const pieces: Buffer[] = [];
        for await (const piece of open()) pieces.push(Buffer.from(piece));
        expect(Buffer.concat(pieces).toString()).toBe(har);
      }
    });
  }
});

test("bodies are read from Playwright's archive and from files beside a capture", async () => {
  const withFiles = harOf({ _file: `${hash}.html` }, { _file: `${hash}.png` }, { _file: "../../etc/passwd" });
  const expected = [{ text: "<p>" }, null, null];
  const archive = zipOf({ "har.har": withFiles, [`${hash}.html`]: "<p>" });
  expect(await bodiesOf(fileOf("bodies.zip", archive))).toEqual(expected);

  fileOf(`${hash}.html`, "<p>");
  symlinkSync("/etc/hostname", join(folder, `${hash}.png`));
  expect(await bodiesOf(fileOf("beside.har", withFiles))).toEqual(expected);
  expect(await bodiesOf(fileOf("beside.har.gz", gzipSync(withFiles)))).toEqual(expected);
});

test("no path or link outside the capture's folder is read as a body", async () => {
  mkdirSync(join(folder, "inner"), { recursive: true });
  fileOf("outer.html", "secret");
  const { bodyOf } = await openCapture(fileOf("inner/shop.har", har));
  symlinkSync(join(folder, "outer.html"), join(folder, "inner", `${hash}.txt`));
  for (const name of ["../outer.html", join(folder, "outer.html"), `${hash}.txt`, "..", ".", ""]) {
    expect(await bodyOf(name)).toBeNull();
  }
});

test("truncated gzip is read as far as possible, and the truncation is reported", async () => {
  const long = harOf(
    ...Array.from({ length: 400 }, (_, index) => ({ text: `${index} ${hash.repeat(index % 7)}` })),
  );
  const packed = gzipSync(long);
  const { entries, findings } = await readCaptureFile(
    fileOf("cut.gz", packed.subarray(0, packed.length / 2)),
  );
  expect(entries.length).toBeGreaterThan(10);
  expect(findings.at(-1)?.problem).toMatch(/^the file is truncated at byte \d+/);
});

describe("one sentence reports", () => {
  test("a wrong path", async () => {
    expect(await problemOf(join(folder, "none.har"))).toBe(`There is no file ${join(folder, "none.har")}.`);
    expect(await problemOf(folder)).toBe(`${folder} is a folder. Pass a .har file.`);
    const path = join(fileOf("file.har", har), "inner");
    expect(await problemOf(path)).toBe(`Cannot read ${path}: ENOTDIR.`);
  });

  test.skipIf(process.getuid?.() === 0)("a file without read permission", async () => {
    const path = fileOf("closed.har", har);
    chmodSync(path, 0);
    expect(await problemOf(path)).toBe(`Cannot read ${path}: permission denied (EACCES).`);
  });

  test.each([
    [
      "text.har",
      "hello",
      "text.har: The capture is not JSON, or is damaged before the end of its first entry. Export it again.",
    ],
    ["empty.har", "", "empty.har: The capture is empty."],
    [
      "noise.gz",
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff]),
      "noise.gz: The capture's gzip data is damaged. Export it again.",
    ],
    [
      "noise.zip",
      Buffer.from("PK\u0003\u0004 and so on"),
      "noise.zip: The zip archive is damaged or in an unsupported format. Unpack it and pass the .har file inside.",
    ],
    ["none.zip", zipOf({ "trace.network": "{}" }), "none.zip: The archive contains no .har file."],
    [
      "two.zip",
      zipOf({ "a.har": har, "b.har": har }),
      "two.zip: The archive has 2 .har files. Unpack it and pass one of them.",
    ],
    [
      "up.zip",
      zipOf({ "../har.har": har }),
      "up.zip: The zip archive is damaged or in an unsupported format. Unpack it and pass the .har file inside.",
    ],
    [
      "bomb.zip",
      zipOf({ "har.har": { content: har, claimedBytes: 10 } }),
      "bomb.zip: The zip archive is damaged or in an unsupported format. Unpack it and pass the .har file inside.",
    ],
  ])("the damage in %s", async (name, content, problem) => {
    expect(await problemOf(fileOf(name, content))).toBe(problem);
  });

  test("only problems with the capture; other errors are thrown unchanged", async () => {
    const path = fileOf("fine.har", har);
    const other = new Error("other");
    await expect(withCapture(path, async () => Promise.reject(other))).rejects.toBe(other);
    const writing = withCapture(path, async () => {
      await new Promise((_, reject) => createWriteStream(join(folder, "no", "way")).on("error", reject));
    });
    await expect(writing).rejects.toMatchObject({ code: "ENOENT", path: join(folder, "no", "way") });
  });
});

test("a body in an archive is ignored if it is larger than the directory states or than the limit", async () => {
  const content = harOf({ _file: `${hash}.html` }, { _file: `${hash}.js` }, { _file: `${hash}.json` });
  const archive = zipOf({
    "har.har": content,
    [`${hash}.html`]: { content: "x".repeat(100_000), claimedBytes: 10 },
    [`${hash}.js`]: { content: Buffer.alloc(33 * 2 ** 20) },
    [`${hash}.json`]: "{}",
  });
  expect(await bodiesOf(fileOf("large-bodies.zip", archive))).toEqual([null, null, { text: "{}" }]);
});

test("unpacking gzip stops at a limit, however small the file is", async () => {
  const packed = gzipSync(Buffer.alloc(8 * 2 ** 20));
  expect(packed.length).toBeLessThan(10_000);
  const unpack = async (limitBytes: number): Promise<number> => {
    let size = 0;
    for await (const piece of gunzipped([packed], limitBytes)) size += piece.length;
    return size;
  };
  expect(await unpack(8 * 2 ** 20)).toBe(8 * 2 ** 20);
  await expect(unpack(2 ** 20)).rejects.toThrow("The capture is larger than 1 MiB when unpacked");
});

test("a pipe, which can be read only once, can be read as a capture several times", async () => {
  const pipe = join(folder, "pipe.har");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  const writer = createWriteStream(pipe);
  writer.end(har);
  await withCapture(pipe, async ({ open }) => {
    for (let count = 0; count < 2; count++) {
      let size = 0;
      for await (const piece of open()) size += piece.length;
      expect(size).toBe(Buffer.byteLength(har));
    }
  });
});
