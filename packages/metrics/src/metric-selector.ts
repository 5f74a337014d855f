import { BearhugError, type Tags } from "@bearhug/sdk";
import { quote } from "@bearhug/text/printable";
import { TextReader } from "@bearhug/text/text-reader";

/** How each operator is written. */
const signs = { equals: ":", notEquals: "!:", matches: "~:" } as const;

/** A condition on one tag of a sample. */
export type TagFilter =
  | {
      readonly tag: string;
      readonly operator: Exclude<keyof typeof signs, "matches">;
      readonly value: string;
    }
  | {
      readonly tag: string;
      readonly operator: "matches";
      /** The source of `pattern`. */
      readonly value: string;
      readonly pattern: RegExp;
    };

/** Selects a metric and, by their tags, some of its samples. */
export interface MetricSelector {
  readonly metric: string;
  /** All of them must hold; empty for every sample. */
  readonly filters: readonly TagFilter[];
}

/** Thrown by {@link parseMetricSelector} for a string that is not a selector. */
export class MetricSelectorSyntaxError extends BearhugError {
  override readonly name = "MetricSelectorSyntaxError";
  readonly code = "INVALID_METRIC_SELECTOR";
  readonly selector: string;
  /** Zero-based index of the first character that could not be read. */
  readonly offset: number;
  constructor(selector: string, offset: number, expected: string, cause?: unknown) {
    super(
      `Metric ${quote(selector)}: expected ${expected} at character ${offset + 1}.`,
      cause === undefined ? {} : { cause },
    );
    this.selector = selector;
    this.offset = offset;
  }
}

const blanks = /\s*/y;
const metricPattern = /[^{}]*[^{}\s]/y;
const tagPattern = /[^\s{},:!~=]+/y;
/** A comma after a backslash is part of the value, and so is each brace but the last one of the key. */
const valuePattern = /(?:\\,|[^,])+/y;

/**
 * Reads a metric's name and, in braces, filters of tags: `http_req_duration{page:home,status!:500,name~:^GET /api}`.
 * `:` equals, `!:` differs, `~:` matches a regular expression. A comma in a value is written `\,`.
 * @throws {MetricSelectorSyntaxError} for anything else.
 */
export function parseMetricSelector(key: string): MetricSelector {
  const end = key.trimEnd().length - 1;
  const isClosed = key[end] === "}";
  const reader = new TextReader(isClosed ? key.slice(0, end) : key);
  const fail = (expected: string, offset = reader.offset, cause?: unknown): never => {
    throw new MetricSelectorSyntaxError(key, offset, expected, cause);
  };
  reader.read(blanks);
  const metric = reader.read(metricPattern) ?? fail("the name of a metric");
  reader.read(blanks);
  const filters: TagFilter[] = [];
  if (reader.readOneOf(["{"]) !== null) {
    do {
      filters.push(
        readFilter(reader, fail, filters.length > 0 ? ' (a comma in a value is written "\\,")' : ""),
      );
    } while (reader.readOneOf([","]) !== null);
    if (!isClosed) fail('"}"');
  } else if (isClosed || !reader.isAtEnd) {
    fail('"{" or the end');
  }
  return { metric, filters };
}

/** Writes a selector as {@link parseMetricSelector} reads it. */
export function writeMetricSelector({ metric, filters }: MetricSelector): string {
  if (filters.length === 0) return metric;
  const written = filters.map(
    ({ tag, operator, value }) => `${tag}${signs[operator]}${value.replaceAll(",", "\\,")}`,
  );
  return `${metric}{${written.join(",")}}`;
}

/** Returns true if a sample with these tags is selected. A tag that the sample lacks equals nothing and matches nothing. */
export function matchesTags(selector: MetricSelector, tags: Tags): boolean {
  return selector.filters.every((filter) => {
    const actual = Object.hasOwn(tags, filter.tag) ? tags[filter.tag] : undefined;
    switch (filter.operator) {
      case "equals":
        return actual === filter.value;
      case "notEquals":
        return actual !== filter.value;
      case "matches":
        return actual !== undefined && filter.pattern.test(actual);
    }
  });
}

function readFilter(
  reader: TextReader,
  fail: (expected: string, offset?: number, cause?: unknown) => never,
  hint: string,
): TagFilter {
  reader.read(blanks);
  const tag = reader.read(tagPattern) ?? fail("a tag, as in {page:home}");
  reader.read(blanks);
  const sign = reader.readOneOf(Object.values(signs)) ?? fail(`":", "!:" or "~:"${hint}`);
  reader.read(blanks);
  const { offset } = reader;
  const value = (reader.read(valuePattern) ?? "").trimEnd().replaceAll("\\,", ",");
  if (value === "") fail("a value", offset);
  if (sign !== signs.matches) return { tag, operator: sign === signs.equals ? "equals" : "notEquals", value };
  try {
    return { tag, operator: "matches", value, pattern: new RegExp(value) };
  } catch (cause) {
    return fail("a valid regular expression", offset, cause);
  }
}
