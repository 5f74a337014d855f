import { describeValue } from "@bearhug/text/describe-value";

import type { FirstFault } from "./check-faults.ts";
import type { Rate } from "./accumulator.ts";
import { type MetricRegistry, type Series, foldTags } from "./registry.ts";
import { tagsKey, type Tags, isBuiltInTag } from "./tags.ts";

/** The most pages, groups or tag sets that one scope distinguishes; the rest falls into `(other)`. */
const maxChildren = 1000;
/** The most sets of tag names whose values are all `(other)`; beyond that, a test's own tags are left out. */
const maxFoldedChildren = 100;

/**
 * The tags in force at a place in a scenario: the scenario's own, and those of the page and groups around it.
 * Scopes are shared by all VUs of a worker, so that look-ups per request are fast.
 */
export class Scope {
  readonly tags: Tags;
  readonly #registry: MetricRegistry;
  readonly #children = new Map<string, Scope>();
  readonly #foldedChildren = new Map<string, Scope>();
  readonly #checks = new Map<string, Rate>();
  #series: Series | null = null;
  /**
   * The latest tags and their scope: a scenario mostly puts the same tags on its requests, and making a key
   * of them costs more than the rest of a look-up.
   */
  #last: { readonly tags: Tags; readonly scope: Scope | null } = { tags: {}, scope: null };

  constructor(registry: MetricRegistry, tags: Tags) {
    this.#registry = registry;
    this.tags = tags;
  }

  /** Returns the scope inside `page(name)`. Pages do not nest: the caller checks that. */
  page(name: string): Scope {
    const page = this.#registry.ownTags.cap(name);
    return this.#child(`page ${page}`, { page });
  }

  /** Returns the scope inside `group(name)`; groups nest, with their names joined by `::`. */
  group(name: string): Scope {
    const { ownTags } = this.#registry;
    const inner = ownTags.cap(name);
    const outer = this.tags["group"];
    const group = outer === undefined ? inner : ownTags.cap(`${outer}::${inner}`);
    return this.#child(`group ${inner}`, { group });
  }

  /**
   * Returns the scope with further tags of the test's own.
   * @throws {TypeError} for tags that a test cannot set
   */
  with(tags: Tags): Scope {
    const { tags: last, scope } = this.#last;
    if (scope !== null && isEqual(tags, last)) return scope;
    const isShort = areShort(tags);
    const found = (isShort ? this.#children.get(tagsKey(tags)) : undefined) ?? this.#withAdmitted(tags);
    // Long values are cut anew each time: only a test that has them pays for that, and
    // nothing here keeps them.
    if (isShort) this.#last = { tags: { ...tags }, scope: found };
    return found;
  }

  #withAdmitted(tags: Tags): Scope {
    checkOwnTags(tags);
    const admitted = this.#registry.ownTags.admit(tags, this.tags);
    return this.#child(tagsKey(admitted), admitted);
  }

  /** The series of exactly these tags. */
  get series(): Series {
    return (this.#series ??= this.#registry.series(this.tags));
  }

  seriesWith(tags: Tags): Series {
    return this.#registry.series({ ...this.tags, ...tags });
  }

  /** Returns the rate of one named check. */
  check(name: string): Rate {
    let rate = this.#checks.get(name);
    if (rate === undefined) {
      const check = this.#registry.ownTags.cap(name);
      rate = this.#checks.get(check) ?? this.seriesWith({ check }).rate("checks");
      const isNew = !this.#checks.has(check) && this.#checks.size < maxChildren;
      if (isNew && this.#registry.reserveEntry()) this.#checks.set(check, rate);
    }
    return rate;
  }

  /** Counts an evaluation of a check that threw. `describe` is called for the first one only. */
  checkThrew(name: string, describe: () => FirstFault): void {
    // Uses the tags of its series, which may be folded.
    const { tags } = this.seriesWith({ check: name });
    const { check = name, scenario = "", page = null, group = null } = tags;
    this.#registry.checkFaults.add({ check, scenario, page, group }, describe);
  }

  /** Returns a child with these tags, or with folded tags if there is no room. */
  #child(key: string, tags: Tags): Scope {
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const hasRoom = this.#children.size < maxChildren && this.#registry.reserveEntry();
    if (!hasRoom) return this.#foldedChild(tags);
    const child = new Scope(this.#registry, { ...this.tags, ...tags });
    this.#children.set(key, child);
    return child;
  }

  #foldedChild(tags: Tags): Scope {
    const folded = foldTags(tags);
    this.#registry.recordFolded(tags, folded);
    if (Object.entries(folded).every(([name, value]) => this.tags[name] === value)) return this;
    const key = tagsKey(folded);
    const known = this.#foldedChildren.get(key);
    if (known !== undefined) return known;
    if (this.#foldedChildren.size >= maxFoldedChildren) return this;
    const child = new Scope(this.#registry, { ...this.tags, ...folded });
    this.#foldedChildren.set(key, child);
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

/** Larger sets of tags, and longer values, are cut first: no key is made of them as they are. */
const fewTags = 32;
const shortLength = 85;

function areShort(tags: Readonly<Record<string, unknown>>): boolean {
  let count = 0;
  for (const name in tags) {
    const value = tags[name];
    if (typeof value !== "string" || value.length > shortLength || ++count > fewTags) return false;
  }
  return true;
}

function checkOwnTags(tags: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(tags)) {
    if (isBuiltInTag(name))
      throw new TypeError(`tag "${name}": bearhug sets it itself; choose another name.`);
    if (typeof value !== "string")
      throw new TypeError(`tag "${name}": must be a string, but is ${describeValue(value)}.`);
  }
}
