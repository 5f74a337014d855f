import type { MetricType } from "@bearhug/sdk";
import type { MetricUnit } from "@bearhug/sdk/result";

export interface ClientMetric {
  readonly type: MetricType;
  readonly unit: MetricUnit;
  /** A share of an operation's duration: kept with two digits, and in results merged by scenario and page. */
  readonly isDetail: boolean;
}

/**
 * The metrics that describe a client's operations as a whole: they feed the timeline and the rows of tables.
 */
export interface ClientRoles {
  /** A counter of operations. */
  readonly operations: string;
  /** A rate: the share of operations that failed. */
  readonly failed: string;
  /** A trend. */
  readonly duration: string;
  /** A trend: the duration from the intended start. */
  readonly responseTime: string;
}

/** A kind of client as results describe it. */
export interface DescribedClient {
  /** Its name in the context of a test, such as `http`. */
  readonly name: string;
  readonly metrics: Readonly<Record<string, ClientMetric>>;
  readonly roles: ClientRoles;
}

/** A kind of client that virtual users have: plain data, because it is sent to every thread. */
export interface ClientKind extends DescribedClient {
  /** The URL of its worker part: a module that exports a `ClientModule` as `client`. */
  readonly module: string;
}

const trend: ClientMetric = { type: "trend", unit: "ms", isDetail: false };

/** Returns the metrics of a client that measures nothing but its roles. */
export function operationMetrics(roles: ClientRoles): Record<string, ClientMetric> {
  return {
    [roles.operations]: { type: "counter", unit: null, isDetail: false },
    [roles.failed]: { type: "rate", unit: null, isDetail: false },
    [roles.duration]: trend,
    [roles.responseTime]: trend,
  };
}

/** Returns the metrics that describe operations as a whole, for each kind of client. */
export function roleMetrics(kinds: readonly DescribedClient[]): string[] {
  return kinds.flatMap(({ roles: { operations, failed, duration, responseTime } }) => [
    operations,
    failed,
    duration,
    responseTime,
  ]);
}

/** Returns the metrics of kinds of clients, by name. */
export function clientMetrics(kinds: readonly DescribedClient[]): Record<string, ClientMetric> {
  return Object.assign({}, ...kinds.map(({ metrics }) => metrics)) as Record<string, ClientMetric>;
}
