import { createReadStream } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { explainCapture, importCapture, type ImportedCapture, readCapture } from "../src/index.ts";
import { captureAt, describeCaptures } from "./recorded-captures.ts";

function importFile(name: string): Promise<ImportedCapture> {
  return importCapture(() => createReadStream(captureAt(name)));
}

describeCaptures("captures", (captures) => {
  test.for(captures)(
    "the import of %s keeps and omits the entries that its golden file lists",
    async (name) => {
      const { model } = await importFile(name);
      const golden = join(import.meta.dirname, "golden", `${basename(name, ".har")}.txt`);
      await expect(explainCapture(model)).toMatchFileSnapshot(golden);
    },
  );

  test.for(captures)(
    "every entry of %s is requested, followed as a redirect, or omitted with a reason",
    async (name) => {
      const { entries } = await readCapture(createReadStream(captureAt(name)));
      const { model } = await importFile(name);
      const accounted = [
        ...model.steps.flatMap(({ waves }) =>
          waves.flatMap(({ requests }) => requests.flatMap((one) => [one.entryIndex, ...one.redirectedTo])),
        ),
        ...model.omissions.map(({ entryIndex }) => entryIndex),
      ];
      expect(accounted.toSorted((a, b) => a - b)).toEqual(entries.map(({ index }) => index));
    },
  );

  test.for(captures)("requests imported from %s have no headers that the browser manages", async (name) => {
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
