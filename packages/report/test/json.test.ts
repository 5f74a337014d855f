import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFileReporter, ReportNotWritten } from "../src/write-report.ts";
import { schemaErrors } from "../../cli/test/published-schema.ts";
import { swept } from "./html/swept-result.ts";
import * as results from "./results.ts";

const { passed } = results;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bearhug-reporters-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string): Promise<unknown> {
  try {
    await createFileReporter("json", path, (result) => JSON.stringify(result)).onEnd(passed);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the JSON report", () => {
  test("contains the result, and missing folders are created for it", async () => {
    const path = join(folder, "new", "folders", "result.json");
    expect(await write(path)).toBeUndefined();
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(passed);
    expect(await readdir(join(folder, "new", "folders"))).toEqual(["result.json"]);
  });

  test("can create the same folders as other reports at the same time", async () => {
    const paths = Array.from({ length: 8 }, (_, index) => join(folder, "a", "b", "c", `${index}.json`));
    expect(await Promise.all(paths.map(write))).toEqual(paths.map(() => undefined));
  });

  test("replaces an older report, even through a link", async () => {
    await writeFile(join(folder, "old.json"), "old");
    await symlink(join(folder, "old.json"), join(folder, "link.json"));
    expect(await write(join(folder, "link.json"))).toBeUndefined();
    expect(JSON.parse(await readFile(join(folder, "old.json"), "utf8"))).toEqual(passed);
    expect((await readdir(folder)).sort()).toEqual(["link.json", "old.json"]);
  });
});

describe("a JSON report that is hard or impossible to write", () => {
  test("is an error if its path is a folder", async () => {
    await mkdir(join(folder, "taken"));
    const error = await write(join(folder, "taken"));
    expect(error).toBeInstanceOf(ReportNotWritten);
    expect(error).toMatchObject({ code: "REPORT_NOT_WRITTEN", reporter: "json" });
    expect(String(error)).toContain("report not written: EISDIR");
  });

  test("is an error if its path is below a file, which is unchanged", async () => {
    await writeFile(join(folder, "file"), "precious");
    expect(String(await write(join(folder, "file", "result.json")))).toMatch(
      /report not written: E(NOTDIR|EXIST)/,
    );
    expect(await readFile(join(folder, "file"), "utf8")).toBe("precious");
  });

  test.runIf(process.platform === "linux")("is an error if a folder cannot be created", async () => {
    expect(String(await write("/proc/nowhere/result.json"))).toContain("report not written: ENOENT");
  });

  test.runIf(process.platform === "linux")("is an error if the disk is full", async () => {
    expect(String(await write("/dev/full"))).toContain("report not written: ENOSPC");
  });

  test.runIf(process.platform === "linux")("is written to a device without replacing it", async () => {
    expect(await write("/dev/null")).toBeUndefined();
    expect((await readFile("/dev/null")).length).toBe(0);
  });
});

describe("the published JSON Schema", () => {
  test("accepts results of every kind", () => {
    for (const [name, result] of Object.entries({ ...results, swept }))
      expect([name, schemaErrors("result.schema.json", result)]).toEqual([name, []]);
  });

  test("reports where a document is invalid", () => {
    expect(schemaErrors("result.schema.json", { ...passed, seed: "7", notes: [7] }).sort()).toEqual([
      "/notes/0 must be string",
      "/seed must be integer",
    ]);
  });
});
