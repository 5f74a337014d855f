import type { Accounting } from "@bearhug/sdk";
import type { PhaseAccounting } from "@bearhug/sdk/internal";

import type { WorkerSnapshot } from "../protocol/messages.ts";
import type { CollectorInput, RecordedMoment, RecordedRun } from "./run-record.ts";
import { maskThreshold } from "./mask-threshold.ts";
import type { MaskedText } from "../masked-text.ts";
import type { Thrown } from "../protocol/thrown.ts";
import { mergeRequests } from "./account.ts";

type Hide = (text: string) => MaskedText;

/** A run without its secrets; what is ours stays as it is, so that it can be read again. */
export function maskRun(run: RecordedRun, mask: Hide): RecordedRun {
  const { plan } = run;
  const scenarios = plan.scenarios.map(({ scenario, description }) => ({
    scenario: { ...scenario, name: mask(scenario.name) },
    description,
  }));
  const baseUrl = plan.baseUrl === null ? null : mask(plan.baseUrl);
  return {
    ...run,
    plan: {
      ...plan,
      testName: mask(plan.testName),
      baseUrl,
      allowHosts: plan.allowHosts.map(mask),
      scenarios,
    },
    thresholds: run.thresholds.map((one) => ({ ...one, threshold: maskThreshold(one.threshold, mask) })),
  };
}

/** A moment without the run's secrets. */
export function maskMoment(moment: RecordedMoment, mask: Hide): RecordedMoment {
  return {
    ...moment,
    inputs: moment.inputs.map((input) => maskInput(input, mask)),
    places: moment.places.map((place) => ({
      ...place,
      frame: place.frame === null ? null : mask(place.frame),
    })),
    accounting: maskAccounting(moment.accounting, mask),
    workers: moment.workers.map((worker) => ({
      ...worker,
      lost: worker.lost === null ? null : mask(worker.lost),
    })),
    failures: moment.failures.map(({ stage, thrown }) => ({ stage, thrown: maskThrown(thrown, mask) })),
    unmeasured: moment.unmeasured.map((one) => ({ ...one, host: mask(one.host) })),
    abortReason: moment.abortReason === null ? null : mask(moment.abortReason),
  };
}

function maskThrown(thrown: Thrown, mask: Hide): Thrown {
  const { message, failedRequests } = thrown;
  if (failedRequests === undefined) return { ...thrown, message: mask(message) };
  const masked = failedRequests.map((one) => ({
    ...one,
    name: mask(one.name),
    origin: mask(one.origin),
  }));
  return { ...thrown, message: mask(message), failedRequests: masked };
}

/** Names that differ in their secret alone become one row, which holds what they held. */
function maskAccounting(accounting: Accounting, mask: Hide): Accounting {
  const masked = <Phase extends PhaseAccounting>(phase: Phase): Phase => ({
    ...phase,
    requests: mergeRequests(phase.requests.map((row) => ({ ...row, name: mask(row.name) }))),
  });
  const { setup, teardown, warmup } = accounting;
  return {
    ...masked(accounting),
    setup: masked(setup),
    teardown: masked(teardown),
    warmup: warmup === null ? null : masked(warmup),
  };
}

function maskInput(input: CollectorInput, mask: Hide): CollectorInput {
  return input.kind === "snapshot" ? { ...input, snapshot: maskSnapshot(input.snapshot, mask) } : input;
}

function maskSnapshot(snapshot: WorkerSnapshot, mask: Hide): WorkerSnapshot {
  const { name, tags, foldedTags } = snapshot.overflow;
  return {
    ...snapshot,
    series: snapshot.series.map((series) => ({
      ...series,
      tags:
        series.tags === null
          ? null
          : Object.fromEntries(Object.entries(series.tags).map(([tag, value]) => [tag, mask(value)])),
    })),
    errors: snapshot.errors.map((error) => ({
      ...error,
      message: mask(error.message),
      name: mask(error.name),
      ...(error.origin === undefined ? {} : { origin: mask(error.origin) }),
    })),
    checkFaults: snapshot.checkFaults.map((fault) => ({
      ...fault,
      check: mask(fault.check),
      scenario: mask(fault.scenario),
      page: fault.page === null ? null : mask(fault.page),
      message: mask(fault.message),
    })),
    unmeasured: snapshot.unmeasured.map((one) => ({ ...one, host: mask(one.host) })),
    overflow: {
      name: name === null ? null : mask(name),
      tags: tags === null ? null : mask(tags),
      foldedTags,
    },
  };
}
