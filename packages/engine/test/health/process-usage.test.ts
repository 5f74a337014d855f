import { expect, test } from "vitest";

import { ProcessUsage, type ProcessSample } from "../../src/health/process-usage.ts";

function sample(atMs: number, changes: Partial<ProcessSample> = {}): ProcessSample {
  return {
    atMs,
    cpuMs: 0,
    residentBytes: 100 * 2 ** 20,
    receivedBytes: 0,
    sentBytes: 0,
    throttling: null,
    queues: null,
    links: [],
    ...changes,
  };
}

test("CPU and bytes count from the first sample, and peaks are those of the busiest second", () => {
  const usage = new ProcessUsage(sample(5000, { cpuMs: 700, receivedBytes: 1e6 }), null);
  usage.add(sample(6000, { cpuMs: 900, receivedBytes: 2e6, sentBytes: 5e3 }));
  usage.add(sample(8000, { cpuMs: 3900, receivedBytes: 8e6, sentBytes: 6e3, residentBytes: 300 * 2 ** 20 }));
  usage.add(sample(9000, { cpuMs: 4700, receivedBytes: 8e6, sentBytes: 6e3, residentBytes: 120 * 2 ** 20 }));
  expect(usage.totals()).toMatchObject({
    cpuCores: 1,
    peakCpuCores: 1.5,
    memoryMb: 120,
    peakMemoryMb: 300,
    peakReceivedBytesPerSecond: 3e6,
    peakSentBytesPerSecond: 5e3,
    throttling: null,
    link: null,
  });
});

test("an interval of a few milliseconds is too short to set a peak rate", () => {
  const usage = new ProcessUsage(sample(0), null);
  usage.add(sample(1000, { cpuMs: 500 }));
  usage.add(sample(1010, { cpuMs: 530, receivedBytes: 1e6 }));
  expect(usage.totals()).toMatchObject({
    cpuCores: 0.5,
    peakCpuCores: 0.5,
    peakReceivedBytesPerSecond: 0,
  });
});

test("the use of a path of given speed counts whole frames, in its busier direction alone", () => {
  const usage = new ProcessUsage(sample(0), 1e9);
  usage.add(sample(1000, { receivedBytes: 117e6, sentBytes: 90e6 }));
  const { link } = usage.totals();
  expect(link).toMatchObject({ name: null, bitsPerSecond: 1e9 });
  expect(link!.peakBitsPerSecond / 1e9).toBeCloseTo(0.994, 3);
});

test("of several links the fullest is reported, by its own bytes alone", () => {
  const [slow, fast] = [
    { name: "eth0", bitsPerSecond: 1e8 },
    { name: "eth1", bitsPerSecond: 1e10 },
  ];
  const links = (slowBytes: number, fastBytes: number): ProcessSample["links"] => [
    { link: slow, receivedBytes: 5e6, sentBytes: slowBytes },
    { link: fast, receivedBytes: fastBytes, sentBytes: 0 },
  ];
  const usage = new ProcessUsage(sample(0, { links: links(1e9, 0) }), null);
  usage.add(sample(1000, { links: links(1e9 + 10e6, 50e6), receivedBytes: 9e9 }));
  usage.add(sample(2000, { links: links(1e9 + 11e6, 900e6) }));
  expect(usage.totals().link).toEqual({ ...slow, peakBitsPerSecond: 80e6 });
});

test("throttling counts from the first sample, and is null without a quota", () => {
  const throttling = { periods: 50, throttledPeriods: 9, throttledMs: 800 };
  const later = { periods: 60, throttledPeriods: 12, throttledMs: 1000 };
  const usage = new ProcessUsage(sample(0, { throttling }), null);
  usage.add(sample(1000, { throttling: later }));
  expect(usage.totals().throttling).toEqual({ periods: 10, throttledPeriods: 3, throttledMs: 200 });
  const none = { periods: 0, throttledPeriods: 0, throttledMs: 0 };
  const free = new ProcessUsage(sample(0, { throttling: none }), null);
  free.add(sample(1000, { throttling: none }));
  expect(free.totals().throttling).toBeNull();
});

test("values that could not be read in some seconds are taken from the others", () => {
  const [early, late] = [
    { periods: 50, throttledPeriods: 9, throttledMs: 800 },
    { periods: 60, throttledPeriods: 12, throttledMs: 1000 },
  ];
  const usage = new ProcessUsage(sample(0, { throttling: early }), null);
  usage.add(sample(1000, { throttling: late, residentBytes: 200 * 2 ** 20 }));
  usage.add(sample(2000, { throttling: null, residentBytes: null }));
  expect(usage.totals()).toMatchObject({
    memoryMb: 200,
    peakMemoryMb: 200,
    throttling: { periods: 10, throttledPeriods: 3 },
  });
});

test("waiting for a core counts from the first sample, also for threads that begin or end later", () => {
  const queues = (times: Readonly<Record<string, number>>): ProcessSample["queues"] =>
    new Map(Object.entries(times));
  const usage = new ProcessUsage(sample(0, { queues: queues({ 1: 5000, 2: 100 }) }), null);
  usage.add(sample(1000, { queues: queues({ 1: 5200, 2: 150 }) }));
  usage.add(sample(2000, { queues: queues({ 1: 5300, 3: 50 }) }));
  usage.add(sample(3000, { queues: null }));
  usage.add(sample(4000, { queues: queues({ 1: 5500, 3: 150 }) }));
  expect(usage.totals().queuedThreads).toBeCloseTo((500 + 50 + 150) / 4000, 10);
});

test("a system that does not count waiting threads leaves the figure out", () => {
  const usage = new ProcessUsage(sample(0), null);
  usage.add(sample(1000));
  expect(usage.totals()).not.toHaveProperty("queuedThreads");
});
