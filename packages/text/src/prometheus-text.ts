/** The media type of Prometheus' text format. */
export const prometheusTextType = "text/plain; version=0.0.4; charset=utf-8";

export interface PrometheusSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Follows the family's name in the sample's name, for example `_bucket`. */
  readonly suffix?: string;
}

export interface PrometheusFamily {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** One line; null for none. */
  readonly help: string | null;
  readonly samples: readonly PrometheusSample[];
}

/** Writes families in Prometheus' text format. Families without samples are left out. */
export function prometheusText(families: readonly PrometheusFamily[]): string {
  return families.map((family) => (family.samples.length === 0 ? "" : familyText(family))).join("");
}

function familyText({ name, type, help, samples }: PrometheusFamily): string {
  const helpLine = help === null ? "" : `# HELP ${name} ${help}\n`;
  const lines = samples.map(
    ({ suffix = "", labels, value }) => `${name}${suffix}${labelsText(labels)} ${value}\n`,
  );
  return `${helpLine}# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeValue(text: string): string {
  return text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`);
}
