import fc from "fast-check";
import { expect, test } from "vitest";

import { renderStepOutputs } from "../../src/github/github-actions.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { readOutputs } from "./runner.ts";

test("outputs are read back unchanged, and no value adds an output", () => {
  fc.assert(
    fc.property(hostileTexts, (texts) => {
      for (const result of texts) {
        const outputs = { verdict: "failed", "exit-code": "99", result };
        expect(readOutputs(renderStepOutputs(outputs))).toEqual(outputs);
      }
    }),
    { numRuns: 20 },
  );
});

test("each value has its own delimiter, which differs each time", () => {
  const render = () => renderStepOutputs({ verdict: "v", "exit-code": "0", result: "r" });
  const delimiters = [render(), render()].join("").matchAll(/<<(\S+)/g);
  expect(new Set([...delimiters].map(([, delimiter]) => delimiter)).size).toBe(6);
});
