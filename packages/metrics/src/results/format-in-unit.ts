import type { MetricUnit } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration } from "@bearhug/text/duration";
import { formatNumber, formatRate, groupDigits, toSignificant } from "@bearhug/text/number";

/** Formats a metric's value with its unit: 300 ms, 1.24 GB, 51.2 kB/s, 98.3 %. */
export function formatInUnit(value: number, unit: MetricUnit, digits = 3): string {
  switch (unit) {
    case "ms":
      return formatDuration(value, digits);
    case "bytes":
      return formatBytes(value, digits);
    case "bytes/s":
      return `${formatBytes(value, digits)}/s`;
    case "/s":
      return formatRate(value, digits);
    case "%":
      return `${groupDigits(toSignificant(value, digits))} %`;
    case null:
      return formatNumber(value, digits);
  }
}
