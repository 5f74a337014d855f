import { isSecretName, isSecretUnder, KnownTexts, occursByChance } from "@bearhug/sdk/internal";

/** Of a larger table the rest is masked when a virtual user is given its row. */
const mostGiven = 20_000;
/** Values of a larger table are looked for as they are, and where escapes are undone: to spell them all takes long. */
const mostSpelled = 500;
const mostVisited = 500_000;
/** Names whose judgement is kept. */
const mostNames = 1000;
/** Keys of what a named object holds: `{ token: { value: "…" } }`. */
const valueKey = /^(?:value|val|v|data|raw|text|content)$/i;

/** Secrets that came with the test's data. */
export class GivenSecrets {
  readonly #spelled = new KnownTexts({ keepsNumbers: true });
  readonly #plain = new KnownTexts({ keepsNumbers: true, isSpelled: false });

  /** True if no more are taken up. */
  get isFull(): boolean {
    return this.#spelled.size + this.#plain.size >= mostGiven;
  }

  add(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (this.isFull) return;
      (this.#spelled.size < mostSpelled ? this.#spelled : this.#plain).add(secret);
    }
  }

  /** The values to search texts for. */
  indexes(): KnownTexts[] {
    return [this.#spelled, this.#plain];
  }
}

/**
 * The values in data, such as rows of a feed, whose names say that they are secrets. Values that stand in texts by chance
 * are left out.
 */
export function secretsIn(data: unknown): string[] {
  const found = new Set<string>();
  const visited = new Set<object>();
  const names = new Map<string, boolean>();
  const isNamed = (name: string): boolean => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretName(name);
    if (names.size < mostNames) names.set(name, isSecret);
    return isSecret;
  };
  const waiting: [name: string, value: object][] = [];
  const look = (name: string, value: unknown): void => {
    if (typeof value === "object" && value !== null) waiting.push([name, value]);
    else if (typeof value === "string" && isNamed(name) && isSecret(name, value)) found.add(value);
  };
  look("", data);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [name, value] = next;
    if (visited.has(value) || ArrayBuffer.isView(value)) continue;
    if (visited.size >= mostVisited || found.size >= mostGiven) break;
    visited.add(value);
    // Items of a list go by the name of the list.
    if (Array.isArray(value) || value instanceof Set) for (const item of value) look(name, item);
    else if (value instanceof Map) for (const [key, inner] of value) look(nameOf(String(key), name), inner);
    else for (const [key, inner] of Object.entries(value)) look(nameOf(key, name), inner);
  }
  return [...found];
}

function nameOf(key: string, outer: string): string {
  return valueKey.test(key) && outer !== "" ? outer : key;
}

function isSecret(name: string, value: string): boolean {
  return isSecretUnder(name, value) && !occursByChance(value);
}
