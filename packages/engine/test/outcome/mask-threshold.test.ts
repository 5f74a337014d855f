import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { maskThreshold } from "../../src/outcome/mask-inputs.ts";
import { thresholdOf } from "../../../metrics/test/thresholds/threshold-of.ts";

describe("the key of a threshold", () => {
  test.each([
    ["http_reqs{name:GET /s3cret-value/x,status:200}", "http_reqs{name:GET /***/x,status:200}"],
    ["http_reqs{who!:s3cret-value}", "http_reqs{who!:***}"],
    ["http_reqs{who~:^s3cret-value$}", String.raw`http_reqs{who~:^\*\*\*$}`],
    [String.raw`http_reqs{who:s3cret-value\, too}`, String.raw`http_reqs{who:***\, too}`],
  ])("%s is %s without its secret, and selects samples whose tags are masked likewise", (key, masked) => {
    const { metric, selector } = maskThreshold(
      thresholdOf(key, "count>1"),
      createMask(["s3cret-value"]).hide,
    );
    expect(metric).toBe(masked);
    expect(selector).toEqual(parseMetricSelector(masked));
  });

  test("is unchanged if its values contain no secret, whatever its tags are called", () => {
    const key = "http_req_duration{ token:abc123def , name:GET /token }";
    const threshold = thresholdOf(key, "count>1");
    expect(maskThreshold(threshold, createMask(["s3cret-value", "http_req"]).hide)).toBe(threshold);
  });
});
