import { chownSync, chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { whyUnwritable } from "../../src/file-output/stage-file.ts";
import { writeFiles } from "../../src/file-output/write-files.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";
import { madeReadOnly, mounted, smallDisk } from "../../../cli/test/mounted.ts";

const noMount = "nothing can be mounted here";

/** Mounts a file at `path`, like `docker run -v file:path`, and returns its source, or null if mounting is not allowed. */
function mountedFile(path: string, content: string): string | null {
  const source = join(temporaryFolder(), "source");
  writeFileSync(source, content, { mode: 0o640 });
  writeFileSync(path, "");
  return mounted(path, ["--bind", source]) ? source : null;
}

/** Returns the names of temporary copies of a file. */
function copiesOf(name: string): string[] {
  return readdirSync(tmpdir()).filter((one) => one.startsWith(`.${name}.`));
}

describe.skipIf(process.platform === "win32")("an existing file keeps", () => {
  test("its permissions, unless others are given", async () => {
    const path = join(temporaryFolder(), "result.json");
    writeFileSync(path, "before");
    chmodSync(path, 0o606);
    await writeFiles([{ path, content: "after" }]);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("606");
    await writeFiles([{ path, content: "secret", mode: 0o600 }]);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  });

  test.skipIf(process.getuid?.() !== 0)("its owner if root writes it", async () => {
    const path = join(temporaryFolder(), "result.json");
    writeFileSync(path, "before");
    chownSync(path, 12_345, 23_456);
    chmodSync(path, 0o640);
    await writeFiles([{ path, content: "after" }]);
    const { uid, gid, mode } = statSync(path);
    expect([uid, gid, (mode & 0o777).toString(8)]).toEqual([12_345, 23_456, "640"]);
  });
});

describe.skipIf(process.platform !== "linux")("a file that is a mount point", () => {
  test.for(["a text that is longer than the older one", "short"])(
    "is written in place: %s",
    async (text, context) => {
      const folder = temporaryFolder();
      const path = join(folder, "result.json");
      const source = mountedFile(path, "the older text");
      if (source === null) return context.skip(noMount);
      expect(whyUnwritable(path)).toBeNull();
      await writeFiles([{ path, content: text }]);
      expect(readFileSync(source, "utf8")).toBe(text);
      expect((statSync(source).mode & 0o777).toString(8)).toBe("640");
      expect(readdirSync(folder)).toEqual(["result.json"]);
    },
  );

  test("is written in place from a copy elsewhere if its folder is read-only", async (context) => {
    const disk = smallDisk(64);
    const path = join(disk ?? temporaryFolder(), "mounted.json");
    const source = disk === null ? null : mountedFile(path, "before");
    if (disk === null || source === null || !madeReadOnly(disk)) return context.skip(noMount);
    expect(whyUnwritable(path)).toBeNull();
    await writeFiles([{ path, content: "after it" }]);
    expect(readFileSync(source, "utf8")).toBe("after it");
    expect(copiesOf("mounted.json")).toEqual([]);
  });

  test("keeps its content if its disk is full, and no copy is left", async (context) => {
    const disk = smallDisk(8);
    const folder = temporaryFolder();
    const path = join(folder, "result.json");
    writeFileSync(path, "");
    if (disk === null) return context.skip(noMount);
    const source = join(disk, "source");
    writeFileSync(source, "the older report");
    if (!mounted(path, ["--bind", source])) return context.skip(noMount);
    await expect(writeFiles([{ path, content: "new ".repeat(10_000) }])).rejects.toThrow("ENOSPC");
    expect(readFileSync(source, "utf8")).toBe("the older report");
    expect(readdirSync(folder)).toEqual(["result.json"]);
  });

  test("is recognized as read-only, although its folder is not", (context) => {
    const path = join(temporaryFolder(), "result.json");
    if (mountedFile(path, "before") === null || !madeReadOnly(path)) return context.skip(noMount);
    expect(whyUnwritable(path)).toBe(`${path} is on a read-only file system (EROFS)`);
  });
});

test.skipIf(process.platform !== "linux")(
  "a read-only file system is recognized before writing",
  (context) => {
    const disk = smallDisk(64);
    if (disk === null) return context.skip(noMount);
    writeFileSync(join(disk, "old.json"), "");
    mkdirSync(join(disk, "deep"));
    if (!madeReadOnly(disk)) return context.skip(noMount);
    const problem = (place: string): string => `${place} is on a read-only file system (EROFS)`;
    expect(whyUnwritable(join(disk, "new.json"))).toBe(problem(disk));
    expect(whyUnwritable(join(disk, "deep/er/new.json"))).toBe(problem(join(disk, "deep")));
    expect(whyUnwritable(join(disk, "old.json"))).toBe(problem(join(disk, "old.json")));
  },
);

test("a file in place of a folder is recognized before writing", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(whyUnwritable(join(file, "deep/new.json"))).toBe(`${file} is not a folder`);
  expect(whyUnwritable(join(file, "../new/deep.json"))).toBeNull();
});
