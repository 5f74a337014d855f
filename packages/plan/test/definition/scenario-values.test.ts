import { describe, expect, test } from "vitest";

import { scenarioMessagesOf } from "./messages-of.ts";

const stages = [{ duration: "30s", target: 50 }];

/** The options that each executor requires. */
const scenarios = {
  "shared-iterations": {},
  "per-vu-iterations": {},
  "constant-vus": { duration: "1s" },
  "ramping-vus": { stages },
  "constant-arrival-rate": { rate: 1, duration: "1s" },
  "ramping-arrival-rate": { stages },
} as const;
type Executor = keyof typeof scenarios;
const executors: readonly Executor[] = [
  "shared-iterations",
  "per-vu-iterations",
  "constant-vus",
  "ramping-vus",
  "constant-arrival-rate",
  "ramping-arrival-rate",
];
const openModels: readonly Executor[] = ["constant-arrival-rate", "ramping-arrival-rate"];

function messagesFor(executor: Executor, option: string, value: unknown): string[] {
  return scenarioMessagesOf({ executor, ...scenarios[executor], [option]: value }).map((message) =>
    message.replace(`scenarios.readers.${option}`, "it"),
  );
}

const noNumbers = [
  [NaN, "it must be a number, but is NaN."],
  [Infinity, "it must be a number, but is Infinity."],
  ["5", 'it must be a number, but is "5".'],
  [null, "it must be a number, but is null."],
  [[], "it must be a number, but is an array."],
] as const;
const wholeFrom = (least: number) =>
  [
    ...noNumbers,
    [-1, `it must be ${least} or more, but is -1.`],
    [1.5, "it must be a whole number, but is 1.5."],
    [1e300, "it must be 9007199254740991 or less, but is 1e+300."],
  ] as const;
const zero = [0, "it must be 1 or more, but is 0."] as const;

const noDurations = [
  [-1, 'it: Duration "-1": expected a number of milliseconds that is 0 or more at character 1.'],
  [NaN, 'it: Duration "NaN": expected a number of milliseconds that is 0 or more at character 1.'],
  [Infinity, 'it: Duration "Infinity": expected a number of milliseconds that is 0 or more at character 1.'],
  ["5", 'it: Duration "5": expected a unit (h, m, s, ms) at character 2.'],
  ["-5s", 'it: Duration "-5s": expected a time such as "30s", "1m30s" or "500ms" at character 1.'],
  ["5 s", 'it: Duration "5 s": did you mean "5s"?'],
  ["1e3s", 'it: Duration "1e3s": expected a unit (h, m, s, ms) at character 2.'],
  ["", 'it: Duration "": expected a time such as "30s", "1m30s" or "500ms" at character 1.'],
  [null, 'it must be a time such as "30s", or a number of milliseconds, but is null.'],
  [{}, 'it must be a time such as "30s", or a number of milliseconds, but is an object.'],
  [1e300, "it must be at most 8760h, but is 1e+300."],
  ["8761h", 'it must be at most 8760h, but is "8761h".'],
] as const;
const zeroDuration = [0, "it must be longer than 0, but is 0."] as const;

type Refused = readonly (readonly [value: unknown, message: string])[];

const options: readonly (readonly [option: string, of: readonly Executor[], refused: Refused])[] = [
  ["vus", ["shared-iterations", "per-vu-iterations", "constant-vus"], [...wholeFrom(1), zero]],
  ["iterations", ["shared-iterations", "per-vu-iterations"], [...wholeFrom(1), zero]],
  ["startVUs", ["ramping-vus"], wholeFrom(0)],
  ["preAllocatedVUs", openModels, wholeFrom(0)],
  ["maxVUs", openModels, [...wholeFrom(1), zero]],
  [
    "rate",
    ["constant-arrival-rate"],
    [
      ...noNumbers,
      [0, "it must be greater than 0, but is 0."],
      [-1, "it must be greater than 0, but is -1."],
    ],
  ],
  ["startRate", ["ramping-arrival-rate"], [...noNumbers, [-1, "it must be 0 or more, but is -1."]]],
  ["duration", ["constant-vus", "constant-arrival-rate"], [...noDurations, zeroDuration]],
  ["maxDuration", ["shared-iterations", "per-vu-iterations"], [...noDurations, zeroDuration]],
  ["timeUnit", openModels, [...noDurations, zeroDuration]],
  ["startTime", executors, noDurations],
  ["gracefulStop", executors, noDurations],
  ["gracefulRampDown", ["ramping-vus"], noDurations],
  [
    "arrivals",
    openModels,
    [
      ["Poisson", 'it must be one of "uniform", "poisson", but is "Poisson": did you mean "poisson"?'],
      [1, 'it must be one of "uniform", "poisson", but is 1.'],
    ],
  ],
  [
    "onBusy",
    openModels,
    [
      ["Queue", 'it must be one of "drop", "queue", but is "Queue": did you mean "queue"?'],
      [null, 'it must be one of "drop", "queue", but is null.'],
    ],
  ],
  [
    "tags",
    executors,
    [
      [5, "it must be an object, but is 5."],
      [[], "it must be an object, but is an array."],
      [{ a: 1 }, "it.a must be a string, but is 1."],
    ],
  ],
  ["env", executors, [["x", 'it must be an object, but is "x".']]],
  [
    "stages",
    ["ramping-vus", "ramping-arrival-rate"],
    [
      [{}, "it must be an array, but is an object."],
      ["10s", 'it must be an array, but is "10s".'],
      [null, "it must be an array, but is null."],
      [[], "it must not be empty."],
      [[5], "it[0] must be an object, but is 5."],
      [[{ duration: "1s" }], "it[0].target must be a number, but is missing."],
      [[{ duration: "1s", target: -1 }], "it[0].target must be 0 or more, but is -1."],
      [[{ duration: "1s", target: NaN }], "it[0].target must be a number, but is NaN."],
      [[{ duration: "1s", target: Infinity }], "it[0].target must be a number, but is Infinity."],
      [[{ duration: "1s", target: "5" }], 'it[0].target must be a number, but is "5".'],
      [
        [...stages, { duration: "-1s", target: 1 }],
        'it[1].duration: Duration "-1s": expected a time such as "30s", "1m30s" or "500ms" at character 1.',
      ],
      [
        [
          { duration: 0, target: 5 },
          { duration: "0s", target: 1 },
        ],
        "it must be longer than 0 in total.",
      ],
      [
        [{ duration: "1s", tarqet: 1, target: 1 }],
        'it[0].tarqet is not an option of a stage: did you mean "target"?',
      ],
    ],
  ],
];

describe.each(options)("%s of a scenario", (option, of, refused) => {
  test.each(refused)("cannot be %j: %s", (value, message) => {
    for (const executor of of) expect(messagesFor(executor, option, value), executor).toEqual([message]);
  });

  test("is refused by all other executors", () => {
    for (const executor of executors.filter((one) => !of.includes(one))) {
      const [message, ...others] = messagesFor(executor, option, refused[0]?.[0]);
      expect(message).toContain(`it is not an option of ${executor}`);
      expect(others).toEqual([]);
    }
  });
});

test("a rate and its target may be fractions, but a number of virtual users may not", () => {
  expect(messagesFor("constant-arrival-rate", "rate", 0.5)).toEqual([]);
  expect(messagesFor("ramping-arrival-rate", "startRate", 0.5)).toEqual([]);
  const half = [{ duration: "1s", target: 0.5 }];
  expect(messagesFor("ramping-arrival-rate", "stages", half)).toEqual([]);
  expect(messagesFor("ramping-vus", "stages", half)).toEqual([
    "it[0].target must be a whole number, but is 0.5.",
  ]);
});

test("everything that is wrong with a scenario is reported at once, in a sentence each", () => {
  const messages = scenarioMessagesOf({
    executor: "ramping-arrival-rate",
    stages: [{ duration: "x", target: -1 }],
    startRate: NaN,
    timeUnit: 0,
    preAllocatedVUs: 9,
    maxVUs: 2,
    arivals: "poisson",
    onbusy: "queue",
    gracefulStop: -1,
    tags: { page: "x" },
    env: { NOPE: "x" },
  });
  const named = messages.map((message) => /^scenarios\.readers\.([\w[\].]+?):? /.exec(message)?.[1]);
  expect(named.toSorted()).toEqual([
    "arivals",
    "env.NOPE",
    "gracefulStop",
    "onbusy",
    "preAllocatedVUs",
    "stages[0].duration",
    "stages[0].target",
    "startRate",
    "tags.page",
    "timeUnit",
  ]);
});
