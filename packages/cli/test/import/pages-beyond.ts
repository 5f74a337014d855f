import { expect } from "vitest";

const shortestMs = 200;

/** Describes the pages whose time differs from the recorded one by more than a quarter plus 50 ms. */
export function pagesBeyond(
  recorded: ReadonlyMap<string, number>,
  replayed: ReadonlyMap<string, number>,
): string[] {
  expect([...replayed.keys()].toSorted()).toEqual([...recorded.keys()].toSorted());
  return [...recorded].flatMap(([page, recordedMs]) => {
    const replayedMs = replayed.get(page) ?? Number.NaN;
    const isNear = Math.abs(replayedMs - recordedMs) <= recordedMs / 4 + 50;
    return isNear || recordedMs <= shortestMs
      ? []
      : [`${page}: ${replayedMs.toFixed(0)} ms instead of ${recordedMs.toFixed(0)} ms`];
  });
}
