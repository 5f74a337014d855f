import { describeIssue, showValue, predicatesOf } from "@bearhug/text/describe-issue";
import { quote } from "@bearhug/text/printable";
import type * as z from "zod";

import { isRecord } from "./is-record.ts";

/** The keys and indexes that lead from a value to a part of it. */
export type Path = readonly PropertyKey[];

/** Gathers every problem of a value, part by part. */
export class ProblemCollector {
  readonly problems: Problem[] = [];
  /** The beginning of a sentence about the value as a whole. */
  readonly #whole: string;
  readonly #compiles: boolean;

  /** `compiles`: compile schemas before use, which is faster for large values only. */
  constructor(whole: string, { compiles = false }: { readonly compiles?: boolean } = {}) {
    this.#whole = whole;
    this.#compiles = compiles;
  }

  /** Adds a problem. `predicate` is the rest of a sentence that begins with the place: "must be …", or ": …". */
  add(path: Path, predicate: string): void {
    const place = formatPath(path);
    this.problems.push({ path: place, message: sentenceOf(place || this.#whole, " ", predicate) });
  }

  /** Reads a part with a schema; returns undefined and adds the problems of an invalid part. */
  read<T>(schema: z.ZodType<T>, value: unknown, path: Path): T | undefined {
    const parsed = schema.safeParse(value, { error: describeIssue, jitless: !this.#compiles });
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      for (const { path: inner, predicate } of predicatesOf(issue)) this.add([...path, ...inner], predicate);
    }
    return undefined;
  }

  /** Returns the entries of a part that is an object; otherwise adds a problem and returns undefined. */
  entriesOf(value: unknown, path: Path): [name: string, value: unknown][] | undefined {
    if (isRecord(value)) return Object.entries(value);
    this.add(path, `must be an object, but is ${showValue(value)}`);
    return undefined;
  }
}

/**
 * Returns the sentence of a problem. `predicate` may begin with a colon of its own, and end with a full stop
 * of its own.
 */
export function sentenceOf(place: string, separator: string, predicate: string): string {
  const end = /[.?!]$/.test(predicate) ? "" : ".";
  return `${place}${predicate.startsWith(":") ? "" : separator}${predicate}${end}`;
}

/**
 * Writes a path: `scenarios.readers.stages[0].target`, or in brackets if a key is no identifier:
 * `thresholds["a{b:c}"]`.
 */
function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const name = String(key);
    if (!/^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u.test(name)) return `${text}[${quote(name)}]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/** A problem with a value, such as a test or a result document. */
export interface Problem {
  /** The part that has the problem, such as `scenarios.readers.rate`; empty for the value as a whole. */
  readonly path: string;
  /** One complete sentence: what is wrong, where, and how to fix it. */
  readonly message: string;
}
