import { availableParallelism } from "node:os";

import type { TestResult } from "@bearhug/sdk";
import type { ValidatedTest } from "@bearhug/sdk/internal";

import { builtInClients } from "../clients/built-in-clients.ts";
import type { ClientKind } from "../clients/client-kind.ts";
import type { Interruptions } from "./interruptions.ts";
import type { Lead } from "./lead.ts";
import type { Conclude, RunObserver } from "./run-request.ts";
import { readMachineLimits } from "../health/machine-limits.ts";
import type { RunRecorder } from "../outcome/run-record.ts";
import { systemClock } from "../pacing/clock.ts";
import type { Launcher } from "../protocol/launcher.ts";
import type { SampleTaker } from "../protocol/samples.ts";
import { givenVariables, makePlan } from "../test-file/make-plan.ts";
import { unmonitoredThresholds } from "../test-file/thresholds.ts";
import { InvalidInput, InvalidTest } from "../invalid-input.ts";
import { secretsByName } from "../test-file/read-env.ts";
import type { RunOptions } from "../test-file/run-options.ts";
import { conductRun } from "./conduct-run.ts";
import type { LoadedTest } from "./load-test.ts";

/** A run that is asked for. */
export interface RunOrder {
  readonly loaded: LoadedTest;
  readonly options: RunOptions;
  readonly isStrictGenerator: boolean;
  /** The kinds of clients that virtual users have. @default those of every run */
  readonly clients?: readonly ClientKind[];
  /** The test's file as the user named it; null where there is none. */
  readonly file: string | null;
  readonly launch: Launcher;
  readonly interruptions: Interruptions;
  readonly observer: RunObserver;
  /** Null: nothing outlives the process but what is reported. */
  readonly recorder: RunRecorder | null;
  /** Changes the test before its run is decided. */
  readonly reshape?: (test: ValidatedTest) => ValidatedTest;
  /** Takes samples of requests. @default nobody does */
  readonly samples?: SampleTaker | null;
  /** Leads a run of several machines. @default nobody does */
  readonly lead?: Lead | null;
}

/** Runs a loaded test on this machine. @throws {InvalidInput} with every problem, before anything was sent */
export function executeRun(order: RunOrder): Promise<TestResult> {
  return executeAndConclude(order, (result) => Promise.resolve(result));
}

/** The same, with a callback while the test's worker is still alive. */
export function executeAndConclude<Told>(
  {
    loaded,
    options,
    clients: kinds = builtInClients,
    samples = null,
    lead = null,
    reshape,
    ...order
  }: RunOrder,
  conclude: Conclude<Told>,
): Promise<Told> {
  const { environment, fallbackName } = loaded;
  const surroundings = { environment, cores: availableParallelism(), fallbackName };
  const told = conductRun(
    {
      ...loaded,
      ...order,
      samples,
      lead,
      clock: systemClock,
      // A copy: the environment itself cannot be sent to a thread.
      variables: givenVariables(options, { environment: { ...environment } }),
      clients: kinds,
      plan: (test, clients) => {
        const planned = makePlan(reshape?.(test) ?? test, options, { ...surroundings, clients });
        const problems = unmonitoredThresholds(planned, options);
        if (problems.length > 0) throw new InvalidInput(problems);
        return planned;
      },
      knownSecrets: [...secretsByName(process.env), ...secretsByName({ ...options.envFile, ...options.env })],
      limits: readMachineLimits(),
      sharding: options.sharding,
      monitors: options.monitors,
      linkBitsPerSecond: options.linkBitsPerSecond,
    },
    conclude,
  );
  return told.catch((error: unknown) => {
    throw error instanceof InvalidTest ? withPlaces(error, loaded) : error;
  });
}

/** Adds to each problem of an option where it stands in the test. Values of variables and rows of feeds come from elsewhere. */
function withPlaces(error: InvalidTest, { locateOption }: LoadedTest): InvalidTest {
  const whole = locateOption("");
  const found = error.found.map((problem) => {
    const { path, message, position } = problem;
    if (position !== undefined || path === "" || /^(?:env\b|feeds$)/.test(path)) return problem;
    const place = locateOption(path);
    if (place === null || (place.line === whole?.line && place.column === whole.column)) return problem;
    const at = ` (${place.file}:${place.line}:${place.column})`;
    return { ...problem, message: message.endsWith(".") ? `${message.slice(0, -1)}${at}.` : message + at };
  });
  return new InvalidTest(found, { cause: error });
}
