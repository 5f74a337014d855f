/** A redirect that was not followed. */
export interface UnfollowedRedirect {
  /** From the start of the load. */
  readonly atMs: number;
  /** The name of the request. */
  readonly name: string;
  readonly status: number;
  /** The address that it leads to. */
  readonly location: string;
}

/** The last request that succeeded. */
export interface LastSuccess {
  /** From the start of what is measured. */
  readonly atMs: number;
  /** Requests that ended after it, all of which failed. */
  readonly failedSince: number;
}

/** Requests of one name that were redirected to one login page, which responded with 200. */
export interface SentToLogin {
  readonly name: string;
  /** The name of the request for the login page. */
  readonly page: string;
  readonly requests: number;
}

/** Requests of one scenario to one host that ended since the last snapshot. */
export interface TargetDelta {
  readonly scenario: string;
  /** Scheme, host and port; null for the operations of clients other than HTTP. */
  readonly origin: string | null;
  readonly succeeded: number;
  readonly failed: number;
  /** Absent if none succeeded, and in recordings of earlier versions. */
  readonly lastSuccess?: LastSuccess;
  /** The first redirect that was not followed; absent if there was none, or an earlier delta has it. */
  readonly redirect?: UnfollowedRedirect;
  /** Absent if there were none. */
  readonly sentToLogin?: readonly SentToLogin[];
}

/** The most hosts of a scenario that are counted separately; further ones are counted together. */
const maxOrigins = 100;
const otherOrigins = "(other)";
/** The most pairs of names that are counted by host. */
const maxSentToLogin = 100;

class TargetCount {
  readonly scenario: string;
  readonly origin: string | null;
  succeeded = 0;
  failed = 0;
  /** By the clock. */
  lastSuccessAtMs = Number.NaN;
  failedSince = 0;
  /** Undefined before the first redirect; null once a delta contains it. */
  redirect: UnfollowedRedirect | null | undefined = undefined;
  sentToLogin: Map<string, SentToLogin> | null = null;

  constructor(scenario: string, origin: string | null) {
    this.scenario = scenario;
    this.origin = origin;
  }
}

/**
 * Counts successes and failures by scenario and host, so that the verdict can tell which hosts
 * responded, and when.
 */
export class TargetLog {
  readonly #byScenario = new Map<string, Map<string | null, TargetCount>>();
  /** The latest count: most requests go to the same host as the one before. */
  #last = new TargetCount("", null);

  /** `endedAtMs` is by the clock. */
  succeeded(scenario: string, origin: string | null, endedAtMs: number): void {
    const target = this.#of(scenario, origin);
    target.succeeded++;
    target.lastSuccessAtMs = endedAtMs;
    target.failedSince = 0;
  }

  failed(scenario: string, origin: string | null): void {
    const target = this.#of(scenario, origin);
    target.failed++;
    target.failedSince++;
  }

  /**
   * Keeps the first redirect of each scenario and host. `describe` returns null for a
   * redirect that leads nowhere.
   */
  redirected(scenario: string, origin: string, describe: () => UnfollowedRedirect | null): void {
    const target = this.#of(scenario, origin);
    if (target.redirect === undefined) target.redirect = describe() ?? undefined;
  }

  /** Counts a request that was redirected to a login page, after the last of its redirects. */
  sentToLogin(scenario: string, origin: string, name: string, page: string): void {
    const target = this.#of(scenario, origin);
    const counts = (target.sentToLogin ??= new Map<string, SentToLogin>());
    const key = JSON.stringify([name, page]);
    const before = counts.get(key);
    if (before === undefined && counts.size >= maxSentToLogin) return;
    counts.set(key, { name, page, requests: (before?.requests ?? 0) + 1 });
  }

  /** `startedAtMs` is when measuring began, by the clock. */
  drain(startedAtMs: number): TargetDelta[] {
    const deltas: TargetDelta[] = [];
    for (const counts of this.#byScenario.values())
      for (const count of counts.values()) {
        const { scenario, origin, succeeded, failed, failedSince, redirect, sentToLogin } = count;
        if (succeeded + failed === 0) continue;
        const lastSuccess = { atMs: count.lastSuccessAtMs - startedAtMs, failedSince };
        deltas.push({
          scenario,
          origin,
          succeeded,
          failed,
          ...(succeeded > 0 && { lastSuccess }),
          ...(redirect && { redirect }),
          ...(sentToLogin && { sentToLogin: [...sentToLogin.values()] }),
        });
        count.sentToLogin = null;
        if (redirect) count.redirect = null;
        count.succeeded = 0;
        count.failed = 0;
      }
    return deltas;
  }

  #of(scenario: string, origin: string | null): TargetCount {
    if (this.#last.scenario !== scenario || this.#last.origin !== origin)
      this.#last = this.#find(scenario, origin);
    return this.#last;
  }

  #find(scenario: string, origin: string | null): TargetCount {
    const counts = this.#byScenario.get(scenario) ?? new Map<string | null, TargetCount>();
    this.#byScenario.set(scenario, counts);
    const key = counts.has(origin) || counts.size < maxOrigins ? origin : otherOrigins;
    const count = counts.get(key) ?? new TargetCount(scenario, key);
    counts.set(key, count);
    return count;
  }
}
