import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { FileNotWritten, writeFiles } from "../../src/file-output/write-files.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

test("files are written from texts and chunks, with folders created, existing files replaced and links followed", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "old"), "before");
  symlinkSync("old", join(folder, "link"));
  await writeFiles([
    { path: join(folder, "a/b/c.txt"), content: "text" },
    { path: join(folder, "pieces"), content: pieces("one ", "two") },
    { path: join(folder, "link"), content: "after" },
  ]);
  expect(readFileSync(join(folder, "a/b/c.txt"), "utf8")).toBe("text");
  expect(readFileSync(join(folder, "pieces"), "utf8")).toBe("one two");
  expect(readFileSync(join(folder, "old"), "utf8")).toBe("after");
  expect(readlinkSync(join(folder, "link"))).toBe("old");
  expect(readdirSync(folder).toSorted()).toEqual(["a", "link", "old", "pieces"]);
});

test.each([
  ["a full disk", "/dev/full", "ENOSPC"],
  ["a folder in its place", "folder", "EISDIR"],
  ["a file in place of a folder", "old/x", "ENOTDIR"],
])("%s leaves all files unchanged", async (_, name, code) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "old"), "before");
  mkdirSync(join(folder, "folder"));
  const path = name.startsWith("/") ? name : join(folder, name);
  const writing = writeFiles([
    { path: join(folder, "old"), content: "after" },
    { path: join(folder, "new"), content: "new" },
    { path, content: "x" },
  ]);
  const error: unknown = await writing.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(FileNotWritten);
  expect(error).toMatchObject({
    path,
    message: expect.stringMatching(`^${path} could not be written: ${code}: [^,]+\\.$`) as string,
  });
  expect(readFileSync(join(folder, "old"), "utf8")).toBe("before");
  expect(readdirSync(folder).toSorted()).toEqual(["folder", "old"]);
});

test("content that fails halfway leaves all files unchanged, and its own error is thrown", async () => {
  const folder = temporaryFolder();
  const fault = new Error("the capture ends here");
  async function* broken(): AsyncGenerator<string> {
    yield "half";
    throw fault;
  }
  const writing = writeFiles([
    { path: join(folder, "first"), content: "whole" },
    { path: join(folder, "second"), content: broken() },
  ]);
  await expect(writing).rejects.toBe(fault);
  expect(readdirSync(folder)).toEqual([]);
});

test("no file is replaced until whenStaged resolves, and none at all if it rejects", async () => {
  const folder = temporaryFolder();
  const full = new Error("stdout is full");
  const files = [{ path: join(folder, "first"), content: "whole" }];
  const whenStaged = (): Promise<void> => {
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.first\..*\.tmp$/)]);
    return Promise.reject(full);
  };
  await expect(writeFiles(files, { whenStaged })).rejects.toBe(full);
  expect(readdirSync(folder)).toEqual([]);
});

test("if a file cannot be replaced, the error lists those written before it", async () => {
  const folder = temporaryFolder();
  const paths = ["first", "second", "third", "fourth"].map((name) => join(folder, name));
  const [first = "", second = "", third = ""] = paths;
  const writing = writeFiles(
    paths.map((path) => ({ path, content: "whole" })),
    {
      whenStaged: () => {
        mkdirSync(third);
        return Promise.resolve();
      },
    },
  );
  await expect(writing).rejects.toThrow(
    `${third} could not be written: EISDIR: illegal operation on a directory. Written before it: ${first}, ${second}.`,
  );
  expect(readdirSync(folder).toSorted()).toEqual(["first", "second", "third"]);
});

describe("an abort signal leaves no files behind", () => {
  const reason = new Error("SIGINT");

  test("while content is being written", async () => {
    const folder = temporaryFolder();
    const stop = new AbortController();
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        yield "more";
        if (readdirSync(folder).some((name) => name.startsWith(".second"))) stop.abort(reason);
      }
    }
    const writing = writeFiles(
      [
        { path: join(folder, "first"), content: "whole" },
        { path: join(folder, "second"), content: endless() },
      ],
      { signal: stop.signal },
    );
    await expect(writing).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(["while whenStaged is pending", "before writing"])("%s", async (when) => {
    const folder = temporaryFolder();
    const stop = new AbortController();
    if (when === "before writing") stop.abort(reason);
    const whenStaged = (): Promise<void> => {
      setTimeout(() => {
        stop.abort(reason);
      }, 5);
      return new Promise(() => undefined);
    };
    const files = [{ path: join(folder, "first"), content: pieces() }];
    await expect(writeFiles(files, { whenStaged, signal: stop.signal })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});
