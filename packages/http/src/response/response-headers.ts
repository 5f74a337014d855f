import type { ResponseHeaders } from "@bearhug/sdk";

/** Headers of a response, parsed on first use. */
export class RawResponseHeaders implements ResponseHeaders {
  readonly #raw: readonly string[];
  #entries: (readonly [string, string])[] | null = null;

  /** Name, value, name, value, … as received; each character is one byte. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    const values = this.getAll(name);
    return values.length === 0 ? null : values.join(", ");
  }

  getAll(name: string): readonly string[] {
    const lowerName = name.toLowerCase();
    const values: string[] = [];
    for (let position = 0; position + 1 < this.#raw.length; position += 2) {
      const known = this.#raw[position] ?? "";
      // Most names already differ in length: only the others are converted to lower case.
      if (known.length === lowerName.length && known.toLowerCase() === lowerName)
        values.push(this.#raw[position + 1] ?? "");
    }
    return values;
  }

  entries(): readonly (readonly [string, string])[] {
    if (this.#entries !== null) return this.#entries;
    const entries: (readonly [string, string])[] = [];
    for (let position = 0; position + 1 < this.#raw.length; position += 2) {
      entries.push([this.#raw[position]?.toLowerCase() ?? "", this.#raw[position + 1] ?? ""]);
    }
    return (this.#entries = entries);
  }
}
