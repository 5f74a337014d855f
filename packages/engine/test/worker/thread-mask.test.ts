import type { SecretsSeen } from "@bearhug/plan/protocol/messages";
import { expect, test } from "vitest";

import { createThreadMask } from "../../src/worker/run-worker.ts";

test("a worker reports each secret that it sees once, and no more than the first thousand", () => {
  const reported: string[] = [];
  const mask = createThreadMask(["declared-secret"], {
    send: ({ values }: SecretsSeen) => {
      reported.push(...values);
    },
  });
  const seen = Array.from({ length: 1200 }, (_, number) => `session-${number}-k3Jd9sLq`);
  for (const value of seen) mask.seen.add(value);
  mask.seen.add(seen[0] ?? "");
  expect(reported).toEqual(seen.slice(0, 1000));
});
