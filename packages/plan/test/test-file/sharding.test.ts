import { describe, expect, test } from "vitest";

import { readSharding, type Sharding, type WrittenSharding } from "../../src/test-file/sharding.ts";

function read(
  written: WrittenSharding,
  environment: Readonly<Record<string, string>> = {},
): Sharding & { readonly problems: readonly string[] } {
  const problems: string[] = [];
  return { ...readSharding(written, environment, problems), problems };
}

describe("--shard", () => {
  test("counts from 1", () => {
    expect(read({ shard: "2/3" })).toMatchObject({ shard: { index: 1, count: 3 }, problems: [] });
    expect(read({})).toMatchObject({ shard: null, problems: [] });
  });

  test.each(["0/3", "4/3", "3", "1/0", "a/b", "-1/3", "1/3/5", "1/20000", ""])("%j is refused", (shard) => {
    expect(read({ shard }).problems).toEqual([
      expect.stringContaining(`--shard ${shard}: must be written NUMBER/COUNT, such as 1/3`),
    ]);
  });

  test.each([
    { environment: { CI_NODE_INDEX: "2", CI_NODE_TOTAL: "3" }, index: 1 },
    { environment: { CIRCLE_NODE_INDEX: "2", CIRCLE_NODE_TOTAL: "3" }, index: 2 },
    { environment: { BUILDKITE_PARALLEL_JOB: "0", BUILDKITE_PARALLEL_JOB_COUNT: "3" }, index: 0 },
    { environment: { JOB_COMPLETION_INDEX: "1", JOB_COMPLETIONS: "3" }, index: 1 },
  ])("auto takes $environment", ({ environment, index }) => {
    expect(read({ shard: "auto" }, environment)).toMatchObject({ shard: { index, count: 3 }, problems: [] });
  });

  test("auto names the variables that it needs", () => {
    expect(read({ shard: "auto" }, {}).problems).toEqual([
      "--shard auto: needs the variables CI_NODE_INDEX and CI_NODE_TOTAL, CIRCLE_NODE_INDEX and CIRCLE_NODE_TOTAL, BUILDKITE_PARALLEL_JOB and BUILDKITE_PARALLEL_JOB_COUNT, or JOB_COMPLETION_INDEX and JOB_COMPLETIONS. Set them, or write --shard 1/3.",
    ]);
  });

  test.each([
    [
      { JOB_COMPLETION_INDEX: "1" },
      "JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS is not. Set it, too, or",
    ],
    [{ CI_NODE_TOTAL: "3" }, "CI_NODE_TOTAL is set, but CI_NODE_INDEX is not. Set it, too, or"],
    [
      { CI_NODE_INDEX: "0", CI_NODE_TOTAL: "3" },
      "CI_NODE_INDEX=0 must be a number from 1 to 3, because CI_NODE_TOTAL is 3.",
    ],
    [
      { JOB_COMPLETION_INDEX: "3", JOB_COMPLETIONS: "3" },
      "JOB_COMPLETION_INDEX=3 must be a number from 0 to 2, because JOB_COMPLETIONS is 3.",
    ],
    [
      { CI_NODE_INDEX: "x", CI_NODE_TOTAL: "1" },
      "CI_NODE_INDEX=x must be a number from 1 to 1, because CI_NODE_TOTAL is 1.",
    ],
    [{ CI_NODE_INDEX: "1", CI_NODE_TOTAL: "many" }, "CI_NODE_TOTAL=many must be a number from 1 to 10000."],
  ])("auto says what is wrong with %j", (environment, message) => {
    expect(read({ shard: "auto" }, environment).problems).toEqual([expect.stringContaining(message)]);
  });
});

describe("--start-at", () => {
  test.each(["2026-12-01T09:00:00Z", "2026-12-01T10:00+01:00", "2026-12-01T09:00:00.000Z", "1796115600000"])(
    "takes %s",
    (startAt) => {
      expect(read({ startAt })).toMatchObject({ startAtMs: Date.UTC(2026, 11, 1, 9), problems: [] });
    },
  );

  test.each(["2026-12-01T09:00:00", "2026-12-01", "09:00", "1796115600", "2026-13-01T09:00:00Z", "soon"])(
    "refuses %s",
    (startAt) => {
      expect(read({ startAt }).problems).toEqual([
        `--start-at ${startAt}: must be a time with its zone, such as 2026-12-01T09:00:00Z, or milliseconds since 1970.`,
      ]);
    },
  );
});

describe("--shard-setup", () => {
  test("takes the name of a file, or the word each", () => {
    expect(read({ shard: "1/2", shardSetup: "data.json" }).setup).toEqual({ file: "data.json" });
    expect(read({ shard: "1/2", shardSetup: "each" }).setup).toBe("each");
  });

  test("is for shards alone", () => {
    expect(read({ shardSetup: "each" }).problems).toEqual([
      "--shard-setup: only for a shard. Give --shard, too.",
    ]);
  });
});
