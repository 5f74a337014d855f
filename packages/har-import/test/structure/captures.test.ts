import { createReadStream } from "node:fs";
import { expect, test } from "vitest";
import { readCapture } from "../../src/read/read-capture.ts";
import { selectEntries, inRecordedOrder } from "../../src/select/select-entries.ts";
import { collapseRedirects } from "../../src/structure/collapse-redirects.ts";
import { connectionsNeeded, simulateStep } from "../../src/structure/connections.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { captureAt, describeCaptures } from "../recorded-captures.ts";

describeCaptures("waves and times of captures", (captures) => {
  test.for(captures)(
    "%s: each request is in exactly one wave, and a page is replayed in its recorded time",
    async (name) => {
      const capture = await readCapture(createReadStream(captureAt(name)));
      const { kept } = selectEntries(inRecordedOrder(capture.entries), {});
      const steps = planSteps(capture.pages, collapseRedirects(kept));
      const connections = connectionsNeeded(steps);
      const visits = steps.flatMap(({ waves }) =>
        waves.flatMap((wave) => wave.visits.flatMap(({ visit }) => [visit, ...visit.hops])),
      );
      expect(visits.map(({ entry }) => entry.index).sort((left, right) => left - right)).toEqual(
        kept.map(({ entry }) => entry.index).sort((left, right) => left - right),
      );
      for (const { recordedMs, waves } of steps.filter((step) => (step.recordedMs ?? 0) >= 200)) {
        const errorMs = Math.abs(simulateStep(waves, connections).totalMs - (recordedMs ?? 0));
        expect(errorMs).toBeLessThanOrEqual((recordedMs ?? 0) * 0.1 + 20);
      }
    },
  );
});
