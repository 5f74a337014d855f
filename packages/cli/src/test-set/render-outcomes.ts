import type { TestResult } from "@bearhug/sdk";

import { formatCount } from "../format/number.ts";
import type { Style } from "../reporters/terminal/style.ts";

/** The end of one of several tests. */
export interface TestOutcome {
  readonly file: string;
  readonly exitCode: number;
  /** Null for a test that was not run. */
  readonly result: TestResult | null;
}

/** All tests in one table, each with the reason why it failed, and how many passed. */
export function renderOutcomes(outcomes: readonly TestOutcome[], style: Style): string[] {
  const rows = outcomes.map(({ file, exitCode, result }) => {
    const hasPassed = result !== null && exitCode === 0;
    const sign = hasPassed
      ? { text: style.symbols.passed, paint: style.good }
      : result === null
        ? { text: style.symbols.unknown, paint: style.faint }
        : { text: style.symbols.failed, paint: style.bad };
    const requests = result?.accounting.requests ?? [];
    const sum = (count: "started" | "failed"): string =>
      result === null ? "" : formatCount(requests.reduce((total, one) => total + one[count], 0));
    return [
      sign,
      style.text(result?.test.name ?? file),
      sum("started"),
      sum("failed"),
      hasPassed ? "" : String(exitCode),
      style.text(result === null ? "not run" : (result.messages[0]?.split("\n", 1)[0] ?? "")),
    ];
  });
  return [style.heading("Tests", countOutcomes(outcomes)), ...style.table(columns, rows)];
}

const columns = [
  { title: "" },
  { title: "test", shrinks: true },
  { title: "requests", align: "right", keep: 1 },
  { title: "failed", align: "right", keep: 2 },
  { title: "exit code", align: "right", keep: 3 },
  { title: "why", shrinks: true },
] as const;

function countOutcomes(outcomes: readonly TestOutcome[]): string {
  const passed = outcomes.filter(({ exitCode, result }) => result !== null && exitCode === 0).length;
  const notRun = outcomes.filter(({ result }) => result === null).length;
  const failed = outcomes.length - passed - notRun;
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ].join(", ");
}
