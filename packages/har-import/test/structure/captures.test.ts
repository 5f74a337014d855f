import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCapture } from "../../src/read/read-capture.ts";
import { selectEntries } from "../../src/select/select-entries.ts";
import { collapseRedirects } from "../../src/structure/collapse-redirects.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { inRecordedOrder } from "../../src/structure/recorded-order.ts";
import { simulateStep } from "../../src/structure/simulate-step.ts";

const folder = process.env["BEARHUG_CAPTURES"] ?? "";
const captures =
  folder !== "" && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".har")) : [];

describe.skipIf(captures.length === 0)("captures of the folder BEARHUG_CAPTURES", () => {
  test.for(captures)(
    "%s: each request is in one wave, and a page is replayed in its recorded time",
    async (name) => {
      const capture = await readCapture(createReadStream(join(folder, name)));
      const { kept } = selectEntries(inRecordedOrder(capture.entries), {});
      const steps = planSteps(capture.pages, collapseRedirects(kept));
      const visits = steps.flatMap(({ waves }) =>
        waves.flatMap((wave) => wave.visits.flatMap(({ visit }) => [visit, ...visit.hops])),
      );
      expect(visits.map(({ entry }) => entry.index).sort((left, right) => left - right)).toEqual(
        kept.map(({ entry }) => entry.index).sort((left, right) => left - right),
      );
      for (const { recordedMs, waves } of steps.filter((step) => (step.recordedMs ?? 0) >= 200)) {
        const offMs = Math.abs(simulateStep(waves).totalMs - (recordedMs ?? 0));
        expect(offMs).toBeLessThanOrEqual((recordedMs ?? 0) * 0.1 + 20);
      }
    },
  );
});
