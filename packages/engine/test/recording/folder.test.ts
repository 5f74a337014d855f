import { expect, test } from "vitest";

import { isRecordingName, recordingFolder, recordingName } from "../../src/recording/folder.ts";

test.each([
  ["linux", {}, "/home/ada/.cache/bearhug/runs"],
  ["linux", { XDG_CACHE_HOME: "/cache" }, "/cache/bearhug/runs"],
  ["linux", { XDG_CACHE_HOME: "relative" }, "/home/ada/.cache/bearhug/runs"],
  ["linux", { XDG_CACHE_HOME: "" }, "/home/ada/.cache/bearhug/runs"],
  ["darwin", {}, "/home/ada/Library/Caches/bearhug/runs"],
  ["win32", { LOCALAPPDATA: "/local" }, "/local/bearhug/Cache/runs"],
  ["win32", {}, "/home/ada/AppData/Local/bearhug/Cache/runs"],
] as const)("on %s with %j runs are recorded in the user's cache", (platform, environment, folder) => {
  expect(recordingFolder({ platform, environment, home: "/home/ada" })).toBe(folder);
});

test("names of recordings sort by time, and are valid on every file system", () => {
  const names = ["2026-11-21T10:00:00.000Z", "2026-11-21T09:59:59.999Z"].map((at) => recordingName(at, 7));
  expect(names.toSorted()).toEqual(names.toReversed());
  expect(names[0]).toMatch(/^[\w.-]+$/);
  expect(names.every(isRecordingName)).toBe(true);
  expect(isRecordingName("result.json")).toBe(false);
});
