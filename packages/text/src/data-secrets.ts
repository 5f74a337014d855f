import { isSecretName, isSecretValue } from "./secrets/secret-names.ts";
import { KnownTexts } from "./secrets/known-texts.ts";
import { isTooCommonToMask } from "./secrets/plain-words.ts";

/** Further secrets of a larger table are masked when a virtual user receives their row. */
const maxGiven = 20_000;
/**
 * Further values of a larger table are searched only as they are, and where escapes are undone: preparing all
 * their spellings takes long.
 */
const maxSpelled = 500;
const maxVisited = 500_000;
/** The most names whose result is cached. */
const maxNames = 1000;
/** Keys of values inside a named object: `{ token: { value: "…" } }`. */
const valueKey = /^(?:value|val|v|data|raw|text|content)$/i;

/** Secrets in the test's data. */
export class DataSecrets {
  readonly #spelled = new KnownTexts({ keepsNumbers: true });
  readonly #plain = new KnownTexts({ keepsNumbers: true, isSpelled: false });

  /** True if no more secrets are added. */
  get isFull(): boolean {
    return this.#spelled.size + this.#plain.size >= maxGiven;
  }

  add(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (this.isFull) return;
      (this.#spelled.size < maxSpelled ? this.#spelled : this.#plain).add(secret);
    }
  }

  /** The values to search texts for. */
  indexes(): KnownTexts[] {
    return [this.#spelled, this.#plain];
  }
}

/** Searches data, such as rows of feeds, for values whose names mark them as secrets. */
export class SecretSearch {
  readonly #maxVisited: number;
  readonly #found = new Set<string>();
  readonly #names = new Map<string, boolean>();
  #visited = 0;

  /** `maxVisited` is the most objects and lists that are searched. */
  constructor(maxVisited: number) {
    this.#maxVisited = maxVisited;
  }

  /** True if the search has ended: other data may contain more secrets. */
  get isOver(): boolean {
    return this.#visited >= this.#maxVisited || this.#found.size >= maxGiven;
  }

  /** Returns the values, without those that occur in texts by chance. */
  found(): string[] {
    return [...this.#found];
  }

  /** Searches data that has a name. */
  search(name: string, data: unknown): void {
    const waiting: [name: string, value: object][] = [];
    const visited = new Set<object>();
    const lookAt = (key: string, value: unknown): void => {
      if (typeof value === "object" && value !== null) waiting.push([key, value]);
      else if (typeof value === "string" && this.#isNamed(key) && isSecret(key, value))
        this.#found.add(value);
    };
    if (!this.isOver) lookAt(name, data);
    for (let next = waiting.pop(); next !== undefined && !this.isOver; next = waiting.pop()) {
      const [outer, value] = next;
      if (visited.has(value) || ArrayBuffer.isView(value)) continue;
      visited.add(value);
      this.#visited += 1;
      // Items of a list count as having the name of the list.
      if (Array.isArray(value) || value instanceof Set) for (const item of value) lookAt(outer, item);
      else if (value instanceof Map)
        for (const [key, inner] of value) lookAt(nameOf(String(key), outer), inner);
      else for (const [key, inner] of Object.entries(value)) lookAt(nameOf(key, outer), inner);
    }
  }

  #isNamed(name: string): boolean {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const isNamed = isSecretName(name);
    if (this.#names.size < maxNames) this.#names.set(name, isNamed);
    return isNamed;
  }
}

/** Returns the secrets in data that has a name, as {@link SecretSearch} finds them. */
export function secretsIn(data: unknown, name = ""): string[] {
  const search = new SecretSearch(maxVisited);
  search.search(name, data);
  return search.found();
}

function nameOf(key: string, outer: string): string {
  return valueKey.test(key) && outer !== "" ? outer : key;
}

function isSecret(name: string, value: string): boolean {
  return isSecretValue(name, value) && !isTooCommonToMask(value);
}
