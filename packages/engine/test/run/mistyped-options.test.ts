import { describe, expect, test } from "vitest";

import { runTest } from "../../../cli/src/index.ts";

describe("runTest from JavaScript, where no compiler checks its options,", () => {
  test.each<[options: unknown, sentence: string]>([
    [null, "The options of runTest must be an object."],
    [{ vus: "2" }, "vus must be a number."],
    [{ rate: [] }, 'rate must be a number or a rate such as "500/s".'],
    [{ duration: {} }, 'duration must be milliseconds or a time such as "30s".'],
    [{ insecure: "no" }, "insecure must be true or false."],
    [{ env: null }, "env must be an object of texts."],
    [
      { monitors: { app: true } },
      'monitors must be an object of addresses and process ids, such as { server: "http://10.0.0.5:9100", app: 1234 }.',
    ],
    [{ tags: { build: 42 } }, "tags must be an object of texts."],
    [{ scenario: 5 }, "scenario must be a text or a list of texts."],
    [{ out: "json=result.json" }, "out must be a list of texts."],
    [{ signal: new AbortController() }, "signal must be an AbortSignal."],
    [
      { reporters: [{ onEdn: () => undefined }] },
      "reporters must be a list of reporters, such as { onEnd(result) { … } }.",
    ],
    [{ onMessage: "x" }, "onMessage must be a function."],
  ])("refuses %o", async (options, sentence) => {
    const running: unknown = Reflect.apply(runTest, undefined, ["your-test.ts", options]);
    const refused: unknown = await Promise.resolve(running).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "INVALID_INPUT", problems: [sentence] });
  });
});
