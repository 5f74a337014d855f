import { parseMetricSelector, parseThreshold, type ValidatedThreshold } from "@bearhug/sdk/internal";

/** `metric{tag:value}: expression`; the colon after the metric, not those in its braces. */
const optionPattern = /^\s*([^:{]+(?:\{.*\})?)\s*:\s*(.+?)\s*$/;

/** Reads one `--threshold`; undefined, and a problem, where it is none. */
export function readThresholdOption(text: string, problems: string[]): ValidatedThreshold | undefined {
  const [, key, expressionText] = optionPattern.exec(text) ?? [];
  if (key === undefined || expressionText === undefined) {
    problems.push(
      `--threshold "${text}": must be written "metric: expression", such as "http_req_duration: p(95)<500ms".`,
    );
    return undefined;
  }
  try {
    const { metric, filters } = parseMetricSelector(key.trim());
    return {
      key: key.trim(),
      metric,
      filters: filters.map(({ tag, operator, value }) => ({ tag, operator, value })),
      expression: parseThreshold(expressionText),
      text: expressionText,
      abortOnFail: false,
      delayAbortEvalMs: 0,
      windowMs: null,
      allowEmpty: false,
    };
  } catch (error) {
    problems.push(`--threshold: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
