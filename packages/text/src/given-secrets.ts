import { isSecretName, isSecretUnder, KnownTexts, occursByChance } from "@bearhug/sdk/internal";

/** The rest of a larger table is masked when a virtual user is given its row. */
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

/** Searches data, such as rows of feeds, for values whose names say that they are secrets. */
export class SecretSearch {
  readonly #mostVisited: number;
  readonly #found = new Set<string>();
  readonly #names = new Map<string, boolean>();
  #visited = 0;

  /** `mostVisited`: how many objects and lists are looked into. */
  constructor(mostVisited: number) {
    this.#mostVisited = mostVisited;
  }

  /** True if nothing more is looked at: other data may hold more secrets. */
  get isOver(): boolean {
    return this.#visited >= this.#mostVisited || this.#found.size >= mostGiven;
  }

  /** The values, without those that stand in texts by chance. */
  found(): string[] {
    return [...this.#found];
  }

  /** Looks into data that goes by a name. */
  look(name: string, data: unknown): void {
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
      // Items of a list go by the name of the list.
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
    if (this.#names.size < mostNames) this.#names.set(name, isNamed);
    return isNamed;
  }
}

/** The secrets in data that goes by a name, as {@link SecretSearch} finds them. */
export function secretsIn(data: unknown, name = ""): string[] {
  const search = new SecretSearch(mostVisited);
  search.look(name, data);
  return search.found();
}

function nameOf(key: string, outer: string): string {
  return valueKey.test(key) && outer !== "" ? outer : key;
}

function isSecret(name: string, value: string): boolean {
  return isSecretUnder(name, value) && !occursByChance(value);
}
