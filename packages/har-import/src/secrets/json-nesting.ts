import { isNamingKey, isValueKey, secretNameAmong } from "./described-values.ts";

/** A scalar whose name may stand beside it, not before it. */
export interface NamedBeside {
  readonly text: string;
  beside: string;
}

interface Nested {
  readonly isList: boolean;
  /** The nearest key around it. */
  readonly key: string;
  readonly names: string[];
  readonly values: NamedBeside[];
  commas: number;
}

/** Objects and lists of a JSON text around the place where a reader is, which learn what their scalars are called. */
export class JsonNesting {
  readonly #open: Nested[] = [];

  begin(isList: boolean, key: string): void {
    this.#open.push({ isList, key, names: [], values: [], commas: 0 });
  }

  /** The nearest key behind a comma. */
  next(): string {
    const here = this.#open.at(-1);
    if (here !== undefined) here.commas++;
    return here?.key ?? "";
  }

  add(scalar: NamedBeside, key: string): void {
    const here = this.#open.at(-1);
    if (here === undefined) return;
    if (here.isList ? here.commas < 2 : isValueKey(key)) here.values.push(scalar);
    else if (!here.isList && isNamingKey(key)) here.names.push(scalar.text);
  }

  /** The nearest key behind what ends here. */
  end(): string {
    const ended = this.#open.pop();
    if (ended === undefined) return "";
    const { isList, key, names, values, commas } = ended;
    const [first, second] = values;
    if (!isList) {
      const name = values.length === 0 ? "" : secretNameAmong([...names, key]);
      for (const value of values) value.beside = name;
    } else if (first !== undefined && second !== undefined && commas === 1 && this.#open.at(-1)?.isList) {
      second.beside = secretNameAmong([first.text]);
    }
    return key;
  }
}
