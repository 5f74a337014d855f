/** The indentation of a JSON text. */
export interface Indentation {
  /** Two spaces, or a tab. */
  readonly unit: string;
  /** The indentation of the line on which the value begins. */
  readonly before: string;
}

const maxLineWidth = 80;

/**
 * Renders JSON in Prettier's style: a list of texts is on one line if it fits. `column` is where the value
 * begins.
 */
export function renderJson(value: unknown, { unit, before }: Indentation, column: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = before + unit;
  if (Array.isArray(value)) {
    const isFlat = value.every((one) => typeof one !== "object");
    const line = `[${value.map((one) => JSON.stringify(one)).join(", ")}]`;
    if (isFlat && column + line.length < maxLineWidth) return line;
    const elements = value.map((one) => inner + renderJson(one, { unit, before: inner }, inner.length));
    return `[\n${elements.join(",\n")}\n${before}]`;
  }
  const entries = Object.entries(value).map(([name, one]) => {
    const key = `${inner}${JSON.stringify(name)}: `;
    return key + renderJson(one, { unit, before: inner }, key.length);
  });
  return `{\n${entries.join(",\n")}\n${before}}`;
}

/** Renders a whole JSON file. */
export function renderJsonFile(value: object): string {
  return `${renderJson(value, { unit: "  ", before: "" }, 0)}\n`;
}
