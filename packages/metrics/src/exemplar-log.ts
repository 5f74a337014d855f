import type { ExemplarsResult, FailedExchange, ExchangeExemplar, PageExemplar } from "@bearhug/sdk/result";

import { Trend } from "./trend.ts";

/** The exemplars of one worker. */
export class ExemplarLog {
  readonly pages: PageExemplars = new PageExemplars();
  readonly failures: FailedExchanges = new FailedExchanges();

  /** Returns the exemplars that are new since the last drain; null for none. */
  drain(runStartedAtMs: number): ExemplarsResult | null {
    const pages = this.pages.drain(runStartedAtMs);
    const errors = this.failures.drain();
    return pages.length === 0 && errors.length === 0 ? null : { pages, errors };
  }
}

/** The most kinds of errors with examples; further ones are only in the errors table. */
const maxKinds = 50;
/** The most examples of one kind: the first, and the latest two. */
const maxPerKind = 3;

/** Failures with the same code, of requests with the same name. */
interface Kind {
  seen: number;
  taken: readonly FailedExchange[];
}

/** Examples of each kind of failed request, in bounded memory. */
export class FailedExchanges {
  readonly #kinds = new Map<string, Map<string, Kind>>();
  #size = 0;

  /**
   * Counts a failure, and takes the first three of its kind. Of later ones it takes the 4th, 8th, 16th and so
   * on: a frequent failure is described only now and then.
   */
  count(code: string, name: string, describe: () => FailedExchange): void {
    const kind = this.#kindOf(code, name);
    if (kind === null) return;
    kind.seen++;
    const isPowerOfTwo = (kind.seen & (kind.seen - 1)) === 0;
    if (kind.seen <= maxPerKind || isPowerOfTwo) kind.taken = chosen([...kind.taken, describe()]);
  }

  /** Adds a failure that another log took. */
  add(exchange: FailedExchange): void {
    const kind = this.#kindOf(exchange.code, exchange.name);
    if (kind !== null) kind.taken = chosen([...kind.taken, exchange]);
  }

  /** Returns the failures that were taken since the last drain. */
  drain(): FailedExchange[] {
    const taken = this.all();
    for (const kinds of this.#kinds.values()) for (const kind of kinds.values()) kind.taken = [];
    return taken;
  }

  /** Returns all failures, grouped by kind, in the order of time. */
  all(): FailedExchange[] {
    return [...this.#kinds.values()].flatMap((kinds) => [...kinds.values()].flatMap(({ taken }) => taken));
  }

  #kindOf(code: string, name: string): Kind | null {
    const ofName = this.#kinds.get(name);
    const known = ofName?.get(code);
    if (known !== undefined) return known;
    if (this.#size >= maxKinds) return null;
    this.#size++;
    const created = { seen: 0, taken: [] };
    if (ofName === undefined) this.#kinds.set(name, new Map([[code, created]]));
    else ofName.set(code, created);
    return created;
  }
}

function chosen(exchanges: readonly FailedExchange[]): FailedExchange[] {
  const sorted = exchanges.toSorted((left, right) => left.atMs - right.atMs);
  return sorted.length <= maxPerKind ? sorted : [...sorted.slice(0, 1), ...sorted.slice(1 - maxPerKind)];
}

/** The most pages with exemplars. */
const maxPages = 20;
/** The most visits to one page watched at the same time, to limit memory. */
const maxWatched = 8;
const maxExchanges = 100;

/** A visit replaces an exemplar only if it is clearly nearer to the percentile. */
const clearlyNearer = 0.9;
/** A visit this near to the percentile, as a share of it, is not replaced. */
const nearEnough = 0.02;
/** Percentiles are computed again when the number of visits has grown by this factor. */
const growthBetweenLookups = 1.1;

/** An exchange that is described only if its visit becomes an exemplar. */
export interface WatchedExchange {
  /** `originMs` is the start of the visit, by the clock of the exchange. */
  describe(originMs: number): ExchangeExemplar;
}

/** A visit to a page that may become an exemplar. */
export class WatchedVisit {
  readonly watch: PageWatch;
  readonly scenario: string;
  readonly startedAtMs: number;
  readonly #exchanges: WatchedExchange[] = [];
  #leftOut = 0;

  constructor(watch: PageWatch, scenario: string, startedAtMs: number) {
    this.watch = watch;
    this.scenario = scenario;
    this.startedAtMs = startedAtMs;
  }

  add(exchange: WatchedExchange): void {
    if (this.#exchanges.length < maxExchanges) this.#exchanges.push(exchange);
    else this.#leftOut++;
  }

  describe(): Pick<PageExemplar, "scenario" | "exchanges" | "leftOut"> {
    const exchanges = this.#exchanges
      .map((exchange) => exchange.describe(this.startedAtMs))
      .sort((left, right) => left.atMs - right.atMs);
    return { scenario: this.scenario, exchanges, leftOut: this.#leftOut };
  }
}

/** The visit whose duration is nearest to a percentile of all visits so far. */
class Nearest {
  readonly kind: PageExemplar["kind"];
  readonly #percentile: number;
  #targetMs = 0;
  #durationMs: number | null = null;
  /** Null after it was drained. */
  #visit: WatchedVisit | null = null;

  constructor(kind: PageExemplar["kind"], percentile: number) {
    this.kind = kind;
    this.#percentile = percentile;
  }

  aim(durations: Trend): void {
    this.#targetMs = durations.percentile(this.#percentile);
  }

  offer(visit: WatchedVisit, durationMs: number): void {
    if (this.#durationMs !== null) {
      const distance = Math.abs(this.#durationMs - this.#targetMs);
      if (distance <= this.#targetMs * nearEnough) return;
      if (Math.abs(durationMs - this.#targetMs) >= distance * clearlyNearer) return;
    }
    this.#durationMs = durationMs;
    this.#visit = visit;
  }

  /** Returns the visit, unless it was drained before. */
  drain(page: string, runStartedAtMs: number): PageExemplar[] {
    const visit = this.#visit;
    const durationMs = this.#durationMs;
    if (visit === null || durationMs === null) return [];
    this.#visit = null;
    const atMs = Math.max(0, visit.startedAtMs - runStartedAtMs);
    return [
      { page, kind: this.kind, atMs: rounded(atMs), durationMs: rounded(durationMs), ...visit.describe() },
    ];
  }
}

/** Rounds to microseconds, like all recorded times. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The visits to one page in one worker. */
class PageWatch {
  readonly #durations = new Trend(2);
  readonly #nearest = [new Nearest("median", 50), new Nearest("slow", 95)];
  #watched = 0;
  #nextLookup = 1;

  begin(scenario: string, startedAtMs: number): WatchedVisit | null {
    if (this.#watched >= maxWatched) return null;
    this.#watched++;
    return new WatchedVisit(this, scenario, startedAtMs);
  }

  /** `durationMs` is null for a visit that does not count in the page's duration. */
  end(visit: WatchedVisit, durationMs: number | null): void {
    this.#watched--;
    if (durationMs === null) return;
    this.#durations.add(durationMs);
    if (this.#durations.count >= this.#nextLookup) {
      for (const nearest of this.#nearest) nearest.aim(this.#durations);
      this.#nextLookup = this.#durations.count * growthBetweenLookups;
    }
    for (const nearest of this.#nearest) nearest.offer(visit, durationMs);
  }

  drain(page: string, runStartedAtMs: number): PageExemplar[] {
    return this.#nearest.flatMap((nearest) => nearest.drain(page, runStartedAtMs));
  }
}

/**
 * Finds typical visits for each page of one worker: one near the median and one near the 95th percentile. A
 * visit is watched only if few others are under way when it begins; nothing else decides that.
 */
export class PageExemplars {
  readonly #pages = new Map<string, PageWatch>();

  /** Begins a visit; returns null if it is not watched. Every watched visit must end. */
  begin(page: string, scenario: string, startedAtMs: number): WatchedVisit | null {
    let watch = this.#pages.get(page);
    if (watch === undefined) {
      if (this.#pages.size >= maxPages) return null;
      watch = new PageWatch();
      this.#pages.set(page, watch);
    }
    return watch.begin(scenario, startedAtMs);
  }

  /** Returns the exemplars that are new since the last drain. */
  drain(runStartedAtMs: number): PageExemplar[] {
    return [...this.#pages].flatMap(([page, watch]) => watch.drain(page, runStartedAtMs));
  }
}
