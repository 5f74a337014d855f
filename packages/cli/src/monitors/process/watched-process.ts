/** One process of those that are watched together. */
export interface WatchedProcess {
  /** Tells it apart from a later process of the same number. */
  readonly id: string;
  readonly cpuSeconds: number;
  /** Null where the system does not tell. */
  readonly residentBytes: number | null;
  readonly descriptors: number | null;
}
