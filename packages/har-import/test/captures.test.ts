import { createReadStream, existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { importCapture, readCapture, summarizeCapture } from "../src/index.ts";

const folder = process.env["BEARHUG_CAPTURES"] ?? "";
const captures =
  folder !== "" && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".har")) : [];

describe.skipIf(folder === "")("captures of the folder BEARHUG_CAPTURES", () => {
  test("the folder is there and has captures", () => {
    expect(captures, folder).not.toEqual([]);
  });

  test.for(captures)("%s keeps and leaves out what its golden file says", async (name) => {
    const capture = await readCapture(createReadStream(join(folder, name)));
    const golden = join(import.meta.dirname, "golden", `${basename(name, ".har")}.txt`);
    await expect(summarizeCapture(importCapture(capture))).toMatchFileSnapshot(golden);
  });

  test.for(captures)("%s gives requests without cookies and credentials", async (name) => {
    const { pages } = importCapture(await readCapture(createReadStream(join(folder, name))));
    const names = pages.flatMap(({ requests }) =>
      requests.flatMap(({ headers }) => headers.map(([header]) => header)),
    );
    expect(names.filter((header) => /^(cookie|authorization|host|:.*|user-agent)$/i.test(header))).toEqual(
      [],
    );
  });
});
