import { expect, test } from "vitest";

import { readDataSize } from "../../src/test-file/quantities.ts";

test.for([
  ["10GB", 10e9],
  ["500 MB", 500e6],
  ["1.5kb", 1500],
  ["2tb", 2e12],
  [" 7B ", 7],
] as const)("%j are %d bytes", ([text, bytes]) => {
  const problems: string[] = [];
  expect(readDataSize("--max-data", text, problems)).toBe(bytes);
  expect(problems).toEqual([]);
});

test.for([
  "",
  "0MB",
  "-1MB",
  "10",
  "GB",
  "1,5GB",
  "1e3MB",
  "NaN MB",
  "Infinity GB",
  "9999999TB",
  "0.4B",
  "10 GiB",
])("%j is refused as a size", (text) => {
  const problems: string[] = [];
  expect(readDataSize("--max-data", text, problems)).toBeNull();
  expect(problems).toEqual([`--max-data ${text}: must be a size such as 500MB or 10GB.`]);
});

test("there is no bound if none is given", () => {
  const problems: string[] = [];
  expect([readDataSize("--max-data", undefined, problems), problems]).toEqual([null, []]);
});
