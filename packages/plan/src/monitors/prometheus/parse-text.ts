/** One sample of Prometheus's text format. */
export interface PrometheusSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** By the exporter's clock, in ms; null if it reports none. */
  readonly timestampMs: number | null;
}

/** The requested content of a scrape. */
export interface Scrape {
  readonly samples: readonly PrometheusSample[];
  /** Types by family: counter, gauge, … */
  readonly types: ReadonlyMap<string, string>;
  /** False for a text that contains no sample at all. */
  readonly isPrometheus: boolean;
}

const typeLine = /^# TYPE (\S+) (\w+)/;
/** A name, its labels if there are any, the value, perhaps a timestamp, and what OpenMetrics adds after a #. */
const sampleLine =
  /^([a-zA-Z_:][\w:]*)[ \t]*(?:\{((?:[^"}]|"(?:[^"\\]|\\[^])*")*)\})?[ \t]*(?<=[ \t}])([^\s{}]+)(?:[ \t]+(-?[\d.]+))?[ \t]*(?:# .*)?$/;
const labelPattern = /([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\[^])*)"/g;

/** Text formats of Prometheus: OpenMetrics has timestamps in seconds, the older one in milliseconds. */
export type TextFormat = "prometheus" | "openmetrics";

/**
 * Reads the wanted samples: exporters report thousands, and a monitor needs only some. Lines that cannot be
 * read, values that are not finite, and repeated samples of one series are left out.
 */
export function parseText(
  text: string,
  isWanted: (name: string) => boolean,
  format: TextFormat = "prometheus",
): Scrape {
  const samples = new Map<string, PrometheusSample>();
  const types = new Map<string, string>();
  let isPrometheus = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) {
      const [, name, type] = typeLine.exec(line) ?? [];
      if (name !== undefined && type !== undefined) types.set(name, type);
      continue;
    }
    const [, name = ""] = /^([a-zA-Z_:][\w:]*)[ \t{]/.exec(line) ?? [];
    if (name === "" || (isPrometheus && !isWanted(name))) continue;
    const sample = readSample(line, format);
    if (sample === null) continue;
    isPrometheus = true;
    if (!isWanted(name) || !Number.isFinite(sample.value)) continue;
    const series = seriesOf(sample);
    if (!samples.has(series)) samples.set(series, sample);
  }
  return { samples: [...samples.values()], types, isPrometheus };
}

/** Returns an identifier of a sample's series, whatever the order of its labels. */
export function seriesOf({ name, labels }: PrometheusSample): string {
  return JSON.stringify([name, Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1))]);
}

function readSample(line: string, format: TextFormat): PrometheusSample | null {
  const [, name, labels = "", value = "", timestamp] = sampleLine.exec(line.trimEnd()) ?? [];
  if (name === undefined || (!/^[+-]?(Inf|NaN)$/i.test(value) && Number.isNaN(Number(value)))) return null;
  return {
    name,
    labels: readLabels(labels),
    value: Number(value),
    timestampMs: timestamp === undefined ? null : Number(timestamp) * (format === "openmetrics" ? 1000 : 1),
  };
}

/** Reads `code="200",path="/"`. */
export function readLabels(text: string): Record<string, string> {
  const found = [...text.matchAll(labelPattern)];
  return Object.fromEntries(found.map(([, name = "", value = ""]) => [name, unescape(value)]));
}

function unescape(value: string): string {
  return value.replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}
