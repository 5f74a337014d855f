import { createReadStream, existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { explainCapture, importCapture, type ImportedCapture, readCapture } from "../src/index.ts";

const folder = process.env["BEARHUG_CAPTURES"] ?? "";
const captures =
  folder !== "" && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".har")) : [];

function importFile(name: string): Promise<ImportedCapture> {
  return importCapture(() => createReadStream(join(folder, name)));
}

describe.skipIf(folder === "")("captures of the folder BEARHUG_CAPTURES", () => {
  test("the folder is there and has captures", () => {
    expect(captures, folder).not.toEqual([]);
  });

  test.for(captures)("%s keeps and leaves out what its golden file says", async (name) => {
    const { model } = await importFile(name);
    const golden = join(import.meta.dirname, "golden", `${basename(name, ".har")}.txt`);
    await expect(explainCapture(model)).toMatchFileSnapshot(golden);
  });

  test.for(captures)("every entry of %s is asked for, followed, or left out with a reason", async (name) => {
    const { entries } = await readCapture(createReadStream(join(folder, name)));
    const { model } = await importFile(name);
    const accounted = [
      ...model.steps.flatMap(({ waves }) =>
        waves.flatMap(({ requests }) => requests.flatMap((one) => [one.entryIndex, ...one.redirectedTo])),
      ),
      ...model.omissions.map(({ entryIndex }) => entryIndex),
    ];
    expect(accounted.toSorted((a, b) => a - b)).toEqual(entries.map(({ index }) => index));
  });

  test.for(captures)("%s gives requests without what the browser manages", async (name) => {
    const { model } = await importFile(name);
    const names = model.steps.flatMap(({ waves }) =>
      waves.flatMap(({ requests }) =>
        requests.flatMap(({ headers }) => headers.map((header) => header.name)),
      ),
    );
    expect(names.filter((header) => /^(cookie|host|:.*|user-agent|content-length)$/i.test(header))).toEqual(
      [],
    );
  });
});
