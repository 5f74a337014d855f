import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { shortReason } from "@bearhug/metrics/results/reason-words";
import { sumBy } from "@bearhug/metrics/sum";
import type { Style } from "@bearhug/report/terminal/style";
import type { TestResult } from "@bearhug/sdk";
import { formatCount } from "@bearhug/text/number";
import type { Cell } from "@bearhug/text/table";

/** The outcome of one of several tests. */
export interface TestOutcome {
  readonly file: string;
  readonly exitCode: number;
  /** Null for a test that was not run. */
  readonly result: TestResult | null;
}

/** Renders all tests in one table, each with the reason for its failure, and the number that passed. */
export function renderOutcomes(outcomes: readonly TestOutcome[], style: Style): string[] {
  const rows = outcomes.map(({ file, exitCode, result }) => {
    const sign = signOf({ exitCode, result }, style);
    const requests = result?.accounting.requests ?? [];
    const sum = (count: "started" | "failed"): string =>
      result === null ? "" : formatCount(sumBy(requests, (one) => one[count]));
    return [
      sign,
      style.text(result?.test.name ?? file),
      sum("started"),
      sum("failed"),
      result !== null && exitCode === exitCodes.passed ? "" : String(exitCode),
      style.text(result === null ? "not run" : shortReason(result.messages[0]?.split("\n", 1)[0] ?? "")),
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
  { title: "why", shrinks: "atEnd" },
] as const;

type Ended = Pick<TestOutcome, "exitCode" | "result">;

function signOf({ exitCode, result }: Ended, { symbols, good, bad, warning, faint }: Style): Cell {
  if (result === null) return { text: symbols.unknown, paint: faint };
  if (exitCode === exitCodes.passed) return { text: symbols.passed, paint: good };
  return exitCode === exitCodes.reportNotWritten
    ? { text: symbols.warning, paint: warning }
    : { text: symbols.failed, paint: bad };
}

/** True also for a test whose report was not written, because its verdict is still passed. */
function hasPassed({ exitCode, result }: Ended): boolean {
  return result !== null && (exitCode === exitCodes.passed || exitCode === exitCodes.reportNotWritten);
}

function countOutcomes(outcomes: readonly TestOutcome[]): string {
  const passed = outcomes.filter(hasPassed).length;
  const notRun = outcomes.filter(({ result }) => result === null).length;
  const failed = outcomes.length - passed - notRun;
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ].join(", ");
}
