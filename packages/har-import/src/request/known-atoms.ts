import type { Header } from "../capture.ts";
import { parsePath } from "../parse-pairs.ts";
import { type Atom, textValue } from "../value.ts";

/** Paths that come after this many seldom repeat. */
const maxPaths = 20_000;

/** Shares what requests have in common: in a capture of many small entries, that is most of the model. */
export class KnownAtoms {
  readonly #paths = new Map<string, readonly Atom[]>();
  readonly #headers = new WeakMap<Header, Atom>();
  readonly #origins = new Map<string, string>();

  path(pathname: string): readonly Atom[] {
    const known = this.#paths.get(pathname);
    if (known !== undefined) return known;
    const path = parsePath(pathname);
    if (this.#paths.size < maxPaths) this.#paths.set(pathname, path);
    return path;
  }

  /** Equal headers are shared already: see `KnownHeaders`. */
  header(header: Header): Atom {
    let atom = this.#headers.get(header);
    if (atom === undefined) {
      const [name, value] = header;
      this.#headers.set(header, (atom = { name, value: textValue(value), written: null }));
    }
    return atom;
  }

  origin(text: string): string {
    const known = this.#origins.get(text);
    if (known === undefined) this.#origins.set(text, text);
    return known ?? text;
  }
}
