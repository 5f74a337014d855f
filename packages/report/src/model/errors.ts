import type { TestResult } from "@bearhug/sdk";

import { badCountCell, detailsOf, durationCell, name, number, type Table } from "./table.ts";

/** Returns the table of failures and exceptions, the most frequent first, each with an example. */
export function errorTable({ errors }: Pick<TestResult, "errors">): Table {
  return {
    id: "errors",
    title: "Errors",
    note: "",
    columns: [number("count"), number("first at", 1), name("what"), name("where")],
    rows: errors.toSorted(byCount).map((error) => ({
      cells: [
        badCountCell(error.count),
        durationCell(error.firstAtMs),
        {
          text:
            error.cause === null || error.cause === error.code
              ? error.code
              : `${error.code} (${error.cause})`,
        },
        { text: error.name },
      ],
      details: detailsOf(error),
    })),
  };
}

/** Orders what was counted: the most frequent first. */
export function byCount(left: { readonly count: number }, right: { readonly count: number }): number {
  return right.count - left.count;
}
