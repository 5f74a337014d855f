import { SeriesStore } from "@bearhug/metrics/series-store";
import { expect, test } from "vitest";

import { firstFailedCheck } from "../../../src/outcome/verdict/first-failed-check.ts";

function storeOf(
  ...checked: readonly (readonly [check: string, group: string, trues: number])[]
): SeriesStore {
  const store = new SeriesStore();
  const series = checked.map(([check, group, trues], id) => ({
    id,
    tags: { scenario: "s", ...(group === "" ? {} : { group }), check },
    metrics: { checks: { type: "rate", trues, samples: 2 } } as const,
  }));
  store.add(0, series);
  return store;
}

test("the first check that failed at least once is found, with its group", () => {
  const store = storeOf(["ok", "POST /login", 2], ["ok", "POST /notes", 1], ["created", "", 0]);
  const step = { scenario: "s", page: null, group: "POST /notes" };
  expect(firstFailedCheck(store)).toEqual({ name: "ok", ...step });
});

test("there is no failed check if all held, or if there are no checks", () => {
  expect(firstFailedCheck(storeOf(["ok", "", 2]))).toBeNull();
  expect(firstFailedCheck(new SeriesStore())).toBeNull();
});
