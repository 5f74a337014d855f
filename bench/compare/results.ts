import type { ToolId } from "./tool.ts";

/** The figures of one run of a tool. */
export interface Figures {
  /** Requests as the server counted them. */
  readonly requestsPerSecond: number;
  /** User and system time of the tool per request. */
  readonly cpuUs: number;
  readonly serverCpuUs: number;
  /** The server's share of its core. */
  readonly serverBusy: number;
  readonly peakRssMb: number;
}

/** The figures of the first seconds of a run, which begins with its first connection. */
export interface FirstSecondFigures {
  /** The median of seconds 3 to 6. */
  readonly steadyPerSecond: number;
  /** The requests of the first second, divided by the steady rate. */
  readonly firstShare: number;
  readonly secondShare: number;
}

/** The figure of a small test. */
export interface StartFigures {
  /** The time from the start of the process to the first byte at the server. */
  readonly firstRequestMs: number;
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly system: string;
}

/** All rounds of one tool. */
export interface ToolResults<Of> {
  readonly tool: ToolId;
  readonly title: string;
  readonly rounds: readonly Of[];
  /** The reasons for missing rounds. */
  readonly problems: readonly string[];
}

export interface CaseResults<Of = Figures> {
  readonly name: string;
  readonly title: string;
  readonly results: readonly ToolResults<Of>[];
}

/** The document that `pnpm bench` writes, from which the page is made. */
export interface BenchResults {
  readonly date: string;
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  /** Tools and servers that were not installed. */
  readonly missing: readonly string[];
  readonly wantedRounds: number;
  readonly windowS: number;
  readonly cases: readonly CaseResults[];
  readonly firstSeconds: readonly CaseResults<FirstSecondFigures>[];
  readonly firstRequest: readonly ToolResults<StartFigures>[];
}
