import { describe, expect, test } from "vitest";

import { isRecordingSpecific } from "../../src/index.ts";

function segmentsOfOneRecording(path: string): string[] {
  const segments = path.split("/");
  return segments.filter((_, index) => isRecordingSpecific(segments, index));
}

describe("a path segment that is specific to one recording is recognized", () => {
  test.each([
    ["/items/6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"],
    ["/poll/1700000000000/next", "1700000000000"],
    ["/u/ann%40shop.test", "ann%40shop.test"],
    ["/t/9f86d081884c7d659a2feaa0", "9f86d081884c7d659a2feaa0"],
    ["/t/eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM", "eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM"],
    ["/reset/k3yF9a", "k3yF9a"],
  ])("%s: %s", (path, segment) => {
    expect(segmentsOfOneRecording(path)).toEqual([segment]);
  });

  test.each([
    "/blog/2024-year-in-review",
    "/p/wireless-keyboard-2000",
    "/wiki/%E6%97%A5%E6%9C%AC%E8%AA%9E_2000",
    "/100%/%zz",
    "/static/app.9f86d081884c7d659a2f.js",
    "/static/9f86d081884c7d659a2feaa0/logo.png",
    "/icon@2x.png",
    "/users/7/orders/20240501",
    "/",
  ])("%s has no such segment", (path) => {
    expect(segmentsOfOneRecording(path)).toEqual([]);
  });

  test("a segment of any length is judged: one of repeated text is not specific", () => {
    for (const text of ["a1", "%40", "@", "eyJ", "Aa0-"])
      expect(isRecordingSpecific(["", text.repeat(100_000 / text.length)], 1)).toBe(false);
  });
});
