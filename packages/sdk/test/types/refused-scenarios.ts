// No marked line may compile: an expected error that does not occur is an error itself.
import { defineTest } from "@bearhug/sdk";

const exec = (): void => undefined;

export const options = defineTest({
  scenarios: {
    // @ts-expect-error that is not an executor
    a: { executor: "ramping-users", duration: "1m", exec },
    // @ts-expect-error it has no executor
    b: { duration: "1m", exec },
    // @ts-expect-error it has no duration
    c: { executor: "constant-vus", vus: 5, exec },
    // @ts-expect-error it has no rate
    d: { executor: "constant-arrival-rate", duration: "1m", exec },
    // @ts-expect-error it has no stages
    e: { executor: "ramping-vus", exec },
    // @ts-expect-error nothing to run
    f: { executor: "constant-vus", duration: "1m" },
    // @ts-expect-error an option of open models
    g: { executor: "constant-vus", duration: "1m", exec, rate: 5 },
    // @ts-expect-error the option is misspelt
    h: { executor: "constant-vus", duration: "1m", exec, gracefullStop: "5s" },
    // @ts-expect-error that is not a number
    i: { executor: "constant-vus", duration: "1m", exec, vus: "5" },
    // @ts-expect-error a stage has a target
    j: { executor: "ramping-vus", exec, stages: [{ duration: "5s" }] },
    // @ts-expect-error not a kind of arrivals
    k: { executor: "constant-arrival-rate", duration: "1m", exec, rate: 5, arrivals: "random" },
    // @ts-expect-error tags are strings
    l: { executor: "constant-vus", duration: "1m", exec, tags: { tier: 5 } },
    // @ts-expect-error not a variable that the test declares
    m: { executor: "constant-vus", duration: "1m", exec, env: { REGION: "eu" } },
  },
});

export const durations = defineTest({
  scenarios: {
    // @ts-expect-error the unit is missing
    a: { executor: "constant-vus", duration: "60", exec },
    // @ts-expect-error that is not a unit
    b: { executor: "constant-vus", duration: "60 seconds", exec },
    // @ts-expect-error the longest unit comes first
    c: { executor: "constant-vus", duration: "30s1m", exec },
    // @ts-expect-error that is not a time
    d: { executor: "constant-vus", duration: true, exec },
    // @ts-expect-error not a duration, in a stage either
    e: { executor: "ramping-vus", exec, stages: [{ duration: "soon", target: 5 }] },
  },
});

// @ts-expect-error there is nothing to run
export const noScenarios = defineTest({ name: "nothing" });

export const misspelt = defineTest({
  // @ts-expect-error not an option of a test
  nmae: "front page",
  scenarios: { a: { executor: "shared-iterations", exec } },
});

export const declarations = defineTest({
  metrics: {
    // @ts-expect-error not a type of metric
    basket: { type: "histogram" },
  },
  env: {
    // @ts-expect-error not an option of a variable
    REGION: { defualt: "eu" },
  },
  scenarios: { a: { executor: "shared-iterations", exec } },
});

export const taken = defineTest({
  metrics: {
    // @ts-expect-error every test has a metric of this name
    http_reqs: { type: "counter" },
  },
  scenarios: { a: { executor: "shared-iterations", exec } },
});
