import { isBuiltInTag } from "@bearhug/sdk";

import { IterationSeries } from "./iteration-series.ts";
import type { Rate } from "./rate.ts";
import { foldTags, type MetricRegistry, type Series } from "./registry.ts";
import { RequestSeries, type RequestSeriesKey } from "./request-series.ts";
import { tagsKey, type Tags } from "./tags.ts";

/** How many pages, groups or tag sets one scope tells apart before the rest falls into `(other)`. */
const maxChildren = 1000;

/**
 * The tags in force at a place in a scenario: the scenario's own, and those of the page and groups around it.
 * Scopes are shared by all VUs of a worker, so that what is looked up per request is found at once.
 */
export class Scope {
  readonly tags: Tags;
  readonly #registry: MetricRegistry;
  readonly #children = new Map<string, Scope>();
  readonly #requests = new Map<string, Map<number, RequestSeries>>();
  readonly #checks = new Map<string, Rate>();
  #series: Series | null = null;
  #iterations: IterationSeries | null = null;
  /** A scenario mostly tags its requests alike, and a key made of the tags costs more than the rest of a look-up. */
  #last: { readonly tags: Tags; readonly scope: Scope | null } = { tags: {}, scope: null };

  constructor(registry: MetricRegistry, tags: Tags) {
    this.#registry = registry;
    this.tags = tags;
  }

  /** The scope inside `page(name)`. Pages do not nest: the caller checks. */
  page(name: string): Scope {
    return this.#child(`page ${name}`, { page: name });
  }

  /** The scope inside `group(name)`; groups nest, their names joined by `::`. */
  group(name: string): Scope {
    const outer = this.tags["group"];
    const path = outer === undefined ? name : `${outer}::${name}`;
    return this.#child(`group ${name}`, { group: path });
  }

  /** @throws {TypeError} for tags that a test cannot set */
  with(tags: Tags): Scope {
    const { tags: last, scope } = this.#last;
    if (scope !== null && isEqual(tags, last)) return scope;
    const found = this.#with(tags);
    this.#last = { tags: { ...tags }, scope: found };
    return found;
  }

  #with(tags: Tags): Scope {
    const key = `tags ${tagsKey(tags)}`;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    checkOwnTags(tags);
    return this.#child(key, tags);
  }

  /** The series of just these tags: checks, pages, iterations, the test's own metrics. */
  get series(): Series {
    return (this.#series ??= this.#registry.series(this.tags));
  }

  /** Where iterations of a scenario are recorded. */
  get iterations(): IterationSeries {
    return (this.#iterations ??= new IterationSeries(this.series));
  }

  seriesWith(tags: Tags): Series {
    return this.#registry.series({ ...this.tags, ...tags });
  }

  /** The rate of one named check. */
  check(name: string): Rate {
    let rate = this.#checks.get(name);
    if (rate === undefined) {
      rate = this.seriesWith({ check: name }).rate("checks");
      if (this.#checks.size < maxChildren) this.#checks.set(name, rate);
    }
    return rate;
  }

  requestSeries(key: RequestSeriesKey, isExpected: boolean): RequestSeries {
    let byOutcome = this.#requests.get(key.name);
    if (byOutcome === undefined) this.#requests.set(key.name, (byOutcome = new Map<number, RequestSeries>()));
    const kind = (isExpected ? 1 : 0) + (key.protocol === "HTTP/2" ? 2 : 0);
    const outcome = (key.status * methodSpace + methodNumber(key.method)) * 4 + kind;
    let series = byOutcome.get(outcome);
    if (series === undefined) {
      series = new RequestSeries(
        this.seriesWith({
          name: key.name,
          method: key.method,
          status: String(key.status),
          ...(key.status === 0 ? {} : { protocol: key.protocol }),
          expected_response: String(isExpected),
        }),
      );
      byOutcome.set(outcome, series);
    }
    return series;
  }

  #child(key: string, tags: Tags): Scope {
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const folded = foldTags(tags);
    const isFull = this.#children.size >= maxChildren && tagsKey(folded) !== tagsKey(tags);
    if (isFull) {
      this.#registry.noteFolded(tags, folded);
      return this.#child(`other ${tagsKey(folded)}`, folded);
    }
    const child = new Scope(this.#registry, { ...this.tags, ...tags });
    this.#children.set(key, child);
    return child;
  }
}

function isEqual(tags: Tags, others: Tags): boolean {
  let count = 0;
  for (const name in tags) {
    if (tags[name] !== others[name]) return false;
    count++;
  }
  return count === Object.keys(others).length;
}

function checkOwnTags(tags: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(tags)) {
    if (isBuiltInTag(name))
      throw new TypeError(`tag "${name}": bearhug sets it itself; choose another name.`);
    if (typeof value !== "string")
      throw new TypeError(`tag "${name}": must be a text, but is a ${typeof value}.`);
  }
}

const methodSpace = 64;
const methods = new Map<string, number>();

/** Methods are few; a small number for each keeps the key of a series an integer. */
function methodNumber(method: string): number {
  let number = methods.get(method);
  if (number === undefined) methods.set(method, (number = Math.min(methods.size, methodSpace - 1)));
  return number;
}
