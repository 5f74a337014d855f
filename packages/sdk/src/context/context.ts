import type { Duration } from "../duration/duration.ts";
import type { NoEnv } from "../env/env.ts";
import type { FeedHandles, FeedTypes } from "../feeds/feed.ts";
import type { Http } from "../http/http.ts";
import type { MetricHandles, MetricTypes, Tags } from "../metrics/metric.ts";
import type { PlatformAbortSignal } from "../platform-types.ts";
import type { ExecutorName } from "../scenario/scenario.ts";

/** The context of `setup`. `V`: the values of the environment variables that the test declares. */
export interface SetupContext<V = NoEnv> {
  /** Sends requests, which are accounted separately from the load. */
  readonly http: Http;
  /** The environment variables that the test declares under `env`. */
  readonly env: V;
  /** Writes to the test's messages. */
  readonly log: Log;
  /** Random numbers from the test's seed. */
  readonly random: Random;
  /** Aborts at the hard stop. */
  readonly signal: PlatformAbortSignal;
}

/** The context of `teardown`: the context of `setup`, plus the value that `setup` returned. */
export interface TeardownContext<D = unknown, V = NoEnv> extends SetupContext<V> {
  /** The value that `setup` returned. */
  readonly data: D;
}

/**
 * The context of `vuState`. Its requests use the cookies and connections of the virtual user, and are
 * accounted separately from the load. `D`: the value that `setup` returned. `V`: the values of the
 * environment variables that the test declares. `F`: the rows of its feeds.
 */
export interface VuStateContext<
  D = unknown,
  V = NoEnv,
  F extends FeedTypes = Readonly<Record<never, never>>,
> extends SetupContext<V> {
  /** A deeply frozen copy of the value that `setup` returned. */
  readonly data: D;
  /** The test's feeds: `feeds.users.next()` is the row of the virtual user, or of its first iteration. */
  readonly feeds: FeedHandles<F>;
  /** The virtual user whose state is created. */
  readonly vu: Omit<VirtualUser, "state">;
  /** The scenario of the virtual user. */
  readonly scenario: Context["scenario"];
  /** Waits for this time. Rejects with `StopSignal` at the hard stop. */
  readonly sleep: (duration: Duration) => Promise<void>;
}

/** The virtual user that runs an iteration. */
export interface VirtualUser<U = Record<string, unknown>> {
  /** The number of the virtual user, from 1; unique over the whole test. */
  readonly id: number;
  /** The number of the virtual user in its scenario, from 0. */
  readonly index: number;
  /**
   * The virtual user's own state, kept between its iterations. Starts as the value from `vuState`, or as an
   * empty object.
   */
  readonly state: U;
}

/** The running iteration. */
export interface Iteration {
  /** The number of the iteration, from 0; unique over the whole test. */
  readonly index: number;
  /** The number of the iteration in its virtual user, from 0; from 0 again if the user rejoins a ramp. */
  readonly indexInVu: number;
}

/** Tags that the iteration sets. They apply to all its later samples, and are dropped when it ends. */
export interface IterationTags {
  set(name: string, value: string): void;
  get(name: string): string | undefined;
  delete(name: string): void;
}

/**
 * The conditions of a `check`, by the name that reports show. A condition is a function of the value, or a
 * boolean. `undefined`, such as the result of `body?.ok`, counts as false.
 */
export type Checks<T> = Readonly<Record<string, boolean | undefined | ((value: T) => boolean | undefined)>>;

/**
 * The context of a scenario's `exec`.
 * `D`: the value that `setup` returned. `M`: the test's own metrics. `V`: the values of the environment
 * variables that it declares. `F`: the rows of its feeds. `U`: the state of a virtual user.
 */
export interface Context<
  D = unknown,
  M extends MetricTypes = Readonly<Record<never, never>>,
  V = NoEnv,
  F extends FeedTypes = Readonly<Record<never, never>>,
  U = Record<string, unknown>,
> extends SetupContext<V> {
  /** Requests of this virtual user, with its own connections. */
  readonly http: Http;
  /** A deeply frozen copy of the value that `setup` returned. */
  readonly data: D;
  /** The test's feeds: `feeds.users.next()` is the row of this iteration or virtual user. */
  readonly feeds: FeedHandles<F>;
  /** The test's own metrics, declared under `metrics`. */
  readonly metrics: MetricHandles<M>;
  /** The virtual user that runs this iteration. */
  readonly vu: VirtualUser<U>;
  /** The scenario of this iteration. */
  readonly scenario: { readonly name: string; readonly executor: ExecutorName };
  /** The number of this iteration, in the test and in its virtual user. */
  readonly iteration: Iteration;
  /** Tags for all later samples of this iteration. */
  readonly tags: IterationTags;
  /**
   * Runs `body` as a page: measures its duration, and tags everything that it records with `page`, also in
   * parallel branches. Resolves to the result of `body`, and rejects if `body` fails. Pages cannot be nested:
   * a page inside a page rejects.
   */
  readonly page: <R>(name: string, body: () => R | PromiseLike<R>) => Promise<R>;
  /**
   * Runs `body` as a group: measures its duration, and tags everything that it records with `group`, also in
   * parallel branches. Resolves to the result of `body`, and rejects if `body` fails. Nested groups are named
   * `outer::inner`.
   */
  readonly group: <R>(name: string, body: () => R | PromiseLike<R>) => Promise<R>;
  /**
   * Evaluates conditions on a value, and counts for each how often it was true and false. A condition that
   * throws or is undefined counts as false. Returns true if all are true. Throws if a value or condition is a
   * promise: `await` it first.
   */
  readonly check: <T>(value: T, checks: Checks<T>, tags?: Tags) => boolean;
  /**
   * Waits as a person does between two actions: for `min`, or for a random time from `min` to `max`.
   * Rejects with `StopSignal` at the hard stop.
   */
  readonly think: (min: Duration, max?: Duration) => Promise<void>;
  /** Waits for this time. Rejects with `StopSignal` at the hard stop. */
  readonly sleep: (duration: Duration) => Promise<void>;
  /** Ends the whole test with the verdict "aborted" and this reason. Never returns. */
  readonly abort: (reason: string) => never;
}

/**
 * Writes a line to the test's messages, with the scenario and virtual user that it came from. Values other
 * than strings are formatted as by Node's `util.inspect`, to a depth of 4.
 */
export interface Log {
  /** The same as `info`. */
  (...message: readonly unknown[]): void;
  info(...message: readonly unknown[]): void;
  warn(...message: readonly unknown[]): void;
  error(...message: readonly unknown[]): void;
}

/** Random numbers of one virtual user, from the test's seed: the same seed gives the same numbers again. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  (): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One element of an array. @throws {RangeError} if it is empty. */
  pick<T>(list: readonly T[]): T;
  /** One value, chosen by weight. @throws {RangeError} if no weight is above 0. */
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T;
  /** A new array with the same elements in random order. */
  shuffle<T>(list: readonly T[]): T[];
  /**
   * A random UUID, version 4 (RFC 9562). Unique within a run only: the same seed gives the same UUIDs again.
   */
  uuid(): string;
}
