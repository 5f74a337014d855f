import { isPlainWords } from "./secrets/plain-words.ts";
import { isSecretHeader, isSecretValue, mayNameSecret } from "./secrets/secret-names.ts";
import { KnownTexts } from "./secrets/known-texts.ts";
import { decodedMeanings } from "./secrets/decoded-view.ts";

/** Shorter values would match where they are not secrets. */
const minLength = 8;
/** The most values of one of two generations: when a generation is full, the one before it is dropped. */
const maxPerGeneration = 500;
/**
 * The most names of headers and fields whose result is cached, and the most words that are
 * known not to be secrets.
 */
const maxNames = 1000;
const maxWords = 5000;

/** The texts of missing values in JavaScript, such as of a token that a login did not return. */
const missingValues: readonly string[] = ["undefined", "[object Object]"];

const scheme = /^\s*(?:bearer|basic|digest|negotiate|token|apikey|aws4-hmac-sha256)\s+(?=\S)/i;
const headerName = /-|^(?:authorization|cookie2?)$/i;

/**
 * Values that a run sends or receives under names that make them secret, although the test does not declare
 * them: the most recent ones, in limited number. A value that was seen before costs a look-up only.
 */
export class SeenSecrets {
  readonly #onNew: (value: string) => void;
  readonly #words = new Set<string>();
  readonly #judged = new Map<string, boolean>();
  readonly #last = new Map<string, string>();
  #current = new Generation();
  #previous = new Generation();

  constructor(onNew: (value: string) => void) {
    this.#onNew = onNew;
  }

  /**
   * Adds words of the test itself, such as the names of its scenarios: they are not secrets,
   * wherever they occur.
   */
  addWords(words: Iterable<string>): void {
    for (const word of words) if (this.#words.size < maxWords) this.#words.add(word);
  }

  /** Looks at a header of a request. */
  lookAtHeader(name: string, value: string): void {
    if (!this.#isNew(name, value)) return;
    if (/^cookie2?$/i.test(name)) for (const pair of value.split(";")) this.lookAtCookie(pair);
    else this.#addCredentials(value);
  }

  /** Looks at a cookie: `name=value`, or a whole `set-cookie` line. */
  lookAtCookie(line: string): void {
    const [pair = ""] = line.split(";", 1);
    const value = pair.slice(pair.indexOf("=") + 1).trim();
    // A cookie of plain words stores choices of a visitor; it never identifies one.
    if (!this.#current.has(value) && !isPlainWords(value)) this.add(value.replace(/^"(.*)"$/, "$1"));
  }

  /** Looks at a parameter of an address, or a field of a form or of a JSON object. */
  lookAtField(name: string, value: string): void {
    if (this.#isNew(name, value) && isSecretValue(name, value)) this.add(value);
  }

  /** Looks at the parameters of an address. */
  lookAtAddress(address: string): void {
    const query = address.indexOf("?");
    if (query < 0 || !mayNameSecret(address.slice(query))) return;
    const search = address.slice(query).replace(/#.*$/s, "");
    for (const [name, value] of new URLSearchParams(search)) this.lookAtField(name, value);
  }

  /** Adds a value that is a secret, in all its readings. */
  add(value: string): void {
    if (value.length < minLength || this.#current.has(value)) return;
    if (missingValues.includes(value) || this.#words.has(value) || /^\d{1,12}(?:\.\d+)?$/.test(value)) return;
    if (this.#current.size >= maxPerGeneration) {
      this.#previous = this.#current;
      this.#current = new Generation();
    }
    this.#current.add(value);
    this.#onNew(value);
  }

  values(): string[] {
    return [...this.#previous.values(), ...this.#current.values()];
  }

  /** The values to search texts for. */
  indexes(): KnownTexts[] {
    return [this.#previous.index(), this.#current.index()];
  }

  /** True if the name is that of a secret, and the value differs from its last value. */
  #isNew(name: string, value: string): boolean {
    if (!this.#isSecret(name) || this.#last.get(name) === value) return false;
    this.#last.set(name, value);
    return true;
  }

  #isSecret(name: string): boolean {
    const known = this.#judged.get(name);
    if (known !== undefined) return known;
    const isSecret = headerName.test(name) ? isSecretHeader(name) : isSecretValue(name, "x7Kq9Zw2LmP4");
    if (this.#judged.size >= maxNames) return false;
    this.#judged.set(name, isSecret);
    // The name itself is public: `password=password` does not make the word a secret.
    this.addWords([name]);
    return isSecret;
  }

  /** Adds credentials without the name of their scheme; of a user and a password also the password alone. */
  #addCredentials(value: string): void {
    const credentials = value.replace(scheme, "").trim();
    this.add(credentials);
    if (!/^\s*basic\s/i.test(value)) return;
    const decoded = Buffer.from(credentials, "base64").toString("utf8");
    const password = decoded.slice(decoded.indexOf(":") + 1);
    if (decoded.includes(":")) this.add(password);
  }
}

/**
 * Values that were seen one after another. Their spellings are prepared only when a text is searched for
 * them: that costs more than noting a value.
 */
class Generation {
  readonly #values = new Set<string>();
  readonly #index = new KnownTexts({ keepsNumbers: true });
  #unspelled: string[] = [];

  get size(): number {
    return this.#values.size;
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }

  values(): Iterable<string> {
    return this.#values;
  }

  add(value: string): void {
    this.#values.add(value);
    this.#unspelled.push(value);
  }

  index(): KnownTexts {
    for (const value of this.#unspelled) {
      this.#index.add(value);
      for (const reading of decodedMeanings(value)) if (reading.length >= minLength) this.#index.add(reading);
    }
    this.#unspelled = [];
    return this.#index;
  }
}
