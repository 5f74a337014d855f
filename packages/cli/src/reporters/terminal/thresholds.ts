import type { TestResult, ThresholdResult } from "@bearhug/sdk";
import type { Row } from "../../format/table.ts";
import { describeActual, describeFailure, describeTooFew } from "../threshold-words.ts";
import type { Style } from "./style.ts";

/** Each threshold with its measured value, and details of those that failed. */
export function renderThresholds(result: TestResult, style: Style): string[] {
  const { thresholds } = result;
  if (thresholds.length === 0) return [];
  const rows = thresholds.map((threshold): Row => {
    const actual = describeActual(threshold, result);
    return [
      symbolOf(threshold, style),
      style.text(threshold.metric),
      style.text(threshold.expression),
      threshold.passed === false ? { text: actual, paint: style.bad } : actual,
    ];
  });
  const columns = [{ title: "" }, { title: "", shrinks: true }, { title: "", shrinks: true }, { title: "" }];
  const lines = style.table(columns, rows);
  return [
    style.heading("Thresholds"),
    ...thresholds.flatMap((threshold, index) => [lines[index] ?? "", ...renderDetails(threshold, style)]),
  ];
}

function symbolOf(
  { passed }: ThresholdResult,
  { symbols, good, bad, warning }: Style,
): { text: string; paint: Style["good"] } {
  if (passed === null) return { text: symbols.unknown, paint: warning };
  return passed ? { text: symbols.passed, paint: good } : { text: symbols.failed, paint: bad };
}

/** Details of a threshold: when it failed and where the test declares it, or why it passed if that is not plain. */
function renderDetails(threshold: ThresholdResult, style: Style): string[] {
  const { passed, actual, source } = threshold;
  const tooFew = passed === null ? null : describeTooFew(threshold);
  const pieces = [
    ...(passed === true && actual === null ? ["allowed to be empty"] : []),
    ...describeFailure(threshold),
    ...(source === null || passed !== false ? [] : [`${style.text(source.file)}:${source.line}`]),
    ...(tooFew === null ? [] : [tooFew]),
  ];
  const indent = 4 + Math.max(style.symbols.failed.length, style.symbols.passed.length);
  return pieces.length === 0 ? [] : style.pieces(pieces, { indent, paint: style.faint });
}
