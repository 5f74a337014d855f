import { expect, test } from "vitest";

import type { CaptureModel } from "../../src/capture-model.ts";
import { type TestOptions, writeTest } from "../../src/index.ts";
import { modelOf, requestOf, stepOf } from "./model-of.ts";

async function write(model: CaptureModel, options: TestOptions = {}): Promise<string> {
  return (await writeTest({ model, redacted: [] }, options)).source;
}

test("page loads per second are converted into a rate of visits", async () => {
  const steps = ["a", "b", "c"].map((name) =>
    stepOf([[requestOf(`/${name}`)]], { name, recordedMs: 1000, thinkAfterMs: 60_000 }),
  );
  const source = await write(modelOf(steps), { pagesPerSecond: 2 });
  expect(source).toMatch(/executor: "constant-arrival-rate",\s+rate: 2,\s+timeUnit: "3s",\s+duration: "4m",/);
});

test("a visit with long think times gets a longer maximum duration", async () => {
  const steps = ["a", "b"].map((name) => stepOf([[requestOf(`/${name}`)]], { name, thinkAfterMs: 400_000 }));
  expect(await write(modelOf(steps))).toContain('maxDuration: "28m"');
});

test.each([
  [312, "630ms"],
  [1234, "2500ms"],
  [20, "500ms"],
])("a page that took %i ms gets a threshold of %s", async (recordedMs, bound) => {
  const source = await write(modelOf([stepOf([[requestOf("/")]], { recordedMs })]));
  expect(source).toContain(`"page_duration{page:home}": ["p(95)<${bound}"]`);
});
