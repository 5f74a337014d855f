/** The one that leads a run of several machines, as one of them knows it. */
export interface Lead {
  /** This machine is ready. Resolves to the time of the common start, by this process's clock. */
  awaitStart(): Promise<number>;
  /** Gives the other machines the data that setup returned, as JSON. Called on the first shard. */
  sendSetupData(text: string): void;
  /** Resolves to the data that setup returned on the first shard. */
  awaitSetupData(): Promise<string>;
  /** The load of this machine is over. Resolves once that of every other machine is, too: then teardown may begin. */
  awaitLoadsOver(): Promise<void>;
}
