import { randomBytes } from "node:crypto";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, constants, gunzipSync, zstdDecompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { LineFile } from "../../src/ndjson/line-file.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";

const never = (error: Error): never => {
  throw error;
};

const partial = { finishFlush: constants.Z_SYNC_FLUSH };
const readers = [
  ["run.ndjson", (bytes: Buffer) => bytes.toString()],
  ["new/folder/run.ndjson.gz", (bytes: Buffer) => gunzipSync(bytes, partial).toString()],
  [
    "run.ndjson.br",
    (bytes: Buffer) =>
      brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString(),
  ],
  [
    "run.ndjson.zst",
    (bytes: Buffer) => zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush }).toString(),
  ],
] as const;

test.each(readers)("%s can be read while it is written, and after it has ended", async (name, read) => {
  const path = join(temporaryFolder(), name);
  const file = await LineFile.open(path, never);
  file.write("first\n");
  file.flush();
  await eventually(() => {
    expect(read(readFileSync(path))).toBe("first\n");
  });
  file.write("second\n");
  await file.end();
  expect(read(readFileSync(path))).toBe("first\nsecond\n");
});

test.each(readers)("%s keeps its earlier content until the first line", async (name, read) => {
  const path = join(temporaryFolder(), name.replaceAll("/", "-"));
  writeFileSync(path, "of the run before, which was longer\n".repeat(9));
  const file = await LineFile.open(path, never);
  file.flush();
  expect(readFileSync(path, "utf8")).toContain("of the run before");
  file.write("first\n");
  await file.end();
  expect(read(readFileSync(path))).toBe("first\n");
});

test("a path that cannot be written is an error before the first line", async () => {
  await expect(LineFile.open("/proc/nowhere/run.ndjson", never)).rejects.toThrow("ENOENT");
  await expect(LineFile.open(temporaryFolder(), never)).rejects.toThrow("EISDIR");
});

test.runIf(process.platform === "linux")("a full disk is reported immediately and at the end", async () => {
  const errors: string[] = [];
  const file = await LineFile.open("/dev/full", ({ message }) => errors.push(message));
  file.write("line\n");
  await eventually(() => {
    expect(errors).toEqual([expect.stringContaining("ENOSPC")]);
  });
  file.write("more\n");
  file.flush();
  expect(file.isBehind).toBe(false);
  await expect(file.end()).rejects.toThrow("ENOSPC");
});

test.runIf(process.platform === "linux")(
  "a full disk does not delay the end of a compressed file",
  async () => {
    const path = join(temporaryFolder(), "run.ndjson.gz");
    symlinkSync("/dev/full", path);
    const errors: string[] = [];
    const file = await LineFile.open(path, ({ message }) => errors.push(message));
    for (let piece = 0; piece < 20; piece++) file.write(randomBytes(50_000).toString("base64"));
    expect(file.isBehind).toBe(true);
    await eventually(() => {
      expect(errors).toEqual([expect.stringContaining("ENOSPC")]);
    });
    expect(file.isBehind).toBe(false);
    await expect(file.end()).rejects.toThrow("ENOSPC");
  },
);
