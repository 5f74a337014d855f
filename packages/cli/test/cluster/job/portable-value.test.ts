import { readRunOptions } from "@bearhug/plan/test-file/run-options";
import fc from "fast-check";
import { expect, test } from "vitest";

import { readValue, writeValue } from "../../../src/cluster/job/portable-value.ts";
import { anyUrl } from "../../../../../tools/vitest/any-url.ts";

const values = fc.anything({
  values: [
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    anyUrl().map((url) => new URL(url)),
    fc.uint8Array(),
  ],
  key: fc.oneof(fc.string(), fc.constantFrom("$", "value", "__proto__")),
  withNullPrototype: false,
});

test("options are unchanged after the way to another machine", () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(readValue(writeValue(value))).toEqual(value);
    }),
  );
  const options = readRunOptions(
    {
      target: "http://127.0.0.1:8080",
      rate: "500/s",
      env: ["A=1"],
      tag: ["zone=eu"],
      seed: "7",
      threshold: ["http_req_duration{scenario:a}: p(95)<500ms"],
      variant: ["b=path:/b"],
      resolve: ["shop.test=127.0.0.1"],
      insecure: true,
      shard: "2/3",
    },
    [],
  );
  expect(readValue(writeValue(options))).toStrictEqual(options);
});

test("a value that no other machine could use is refused", () => {
  expect(() => writeValue({ run: () => 1 })).toThrow("a function cannot be sent to another machine");
});
