import type { ExecutorName } from "@bearhug/sdk";

/*
 * Documents that commands print with `--json`, except results and comparisons, which are the SDK's. Each is
 * published with a schema, `bearhug/schemas/<name>.schema.json`, which the tests generate from these types
 * and comments. Within a version, a document only gains fields.
 */

/** The fields that every document has. */
interface Document<Schema extends string> {
  readonly schema: Schema;
  readonly tool: { readonly name: "bearhug"; readonly version: string };
}

/** A problem that the user has to fix. */
export interface Problem {
  /**
   * INVALID_OPTION: the command line, a variable, the configuration, or a limit that the test exceeds.
   * INVALID_TEST: the definition of the test.
   * MISSING_VARIABLE: a variable that a run needs is not set.
   * NOT_AWAITED: a promise that the test does not await.
   * TS and a number: an error of TypeScript.
   * INCOMPARABLE: two runs whose test, load or target differ.
   * BUG: a bug in bearhug.
   */
  readonly code: string;
  /** The problem and how to fix it, in one sentence. */
  readonly message: string;
}

/** A place in a source file. */
interface Position {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** A problem with its place in the sources. */
export interface PlacedProblem extends Problem, Position {}

/** Printed instead of any other document if a command rejects its input, or has a bug. */
export interface ProblemsDocument extends Document<"bearhug/problems@1"> {
  /**
   * 104: the input is invalid. 1: a bug in bearhug. 0: the runs were not compared, and `--if-incomparable
   * warn` allows it.
   */
  readonly exitCode: number;
  readonly problems: readonly (Problem & Partial<Position>)[];
}

/** `bearhug check --json` */
export interface CheckDocument extends Document<"bearhug/check@1"> {
  /** 0: no problems. 104: at least one. */
  readonly exitCode: number;
  readonly tests: readonly CheckedPlan[];
  readonly problems: readonly PlacedProblem[];
  /** Problems that would prevent a run, but not a plan. */
  readonly warnings: readonly PlacedProblem[];
  /** Tests whose types were not checked, because their project has no TypeScript. */
  readonly untypedFiles: readonly string[];
}

/** The plan of one test. */
export interface CheckedPlan extends Position {
  readonly name: string;
  readonly baseUrl: string | null;
  /** Hosts that the test may request besides that of `baseUrl`. */
  readonly allowHosts: readonly string[];
  /** True if the test sets `allowUnmeasured`: its code may contact any host with other clients. */
  readonly allowUnmeasured: boolean;
  readonly workers: number;
  readonly warmupMs: number;
  /** The time from the start until the last iteration may begin. */
  readonly loadMs: number;
  /** The time from the start until the last iteration would be interrupted. */
  readonly durationMs: number;
  /** The highest number of concurrent virtual users of all scenarios together. */
  readonly vus: number;
  readonly scenarios: readonly {
    readonly name: string;
    readonly executor: ExecutorName;
    /** In words. */
    readonly load: string;
    /** The highest number of concurrent virtual users. */
    readonly vus: number;
  }[];
  readonly thresholds: readonly (Threshold & { readonly abortOnFail: boolean })[];
  /** Notes about the plan, one sentence each. */
  readonly notes: readonly string[];
}

interface Threshold {
  /** The metric, with its tag filter. */
  readonly metric: string;
  readonly expression: string;
}

/** `bearhug list --json` */
export interface ListDocument extends Document<"bearhug/list@1"> {
  readonly tests: readonly ListedTest[];
  readonly problems: readonly PlacedProblem[];
}

/** The parts of one test, with their places. */
export interface ListedTest extends Position {
  readonly name: string;
  readonly scenarios: readonly ({ readonly name: string; readonly executor: ExecutorName } & PlaceInTest)[];
  readonly thresholds: readonly (Threshold & PlaceInTest)[];
  readonly tags: Readonly<Record<string, string>>;
}

export interface PlaceInTest {
  /** Present only if it differs from the test's file. */
  readonly file?: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** `bearhug try --json` */
export interface TryDocument extends Document<"bearhug/try@1"> {
  /** The exit code, as for a run; 99 also if a request or a check failed, or the test threw. */
  readonly exitCode: number;
  /** The reasons for the exit code, one sentence each. */
  readonly messages: readonly string[];
  /** Pass it to `--seed` to repeat the same random choices. */
  readonly seed: number;
  readonly counts: StepCounts;
  /** The steps in the order in which they ended. Secrets are masked. */
  readonly steps: readonly Step[];
  readonly errors: readonly { readonly code: string; readonly message: string; readonly count: number }[];
}

export interface StepCounts {
  readonly requests: number;
  readonly failedRequests: number;
  readonly checks: number;
  readonly failedChecks: number;
}

export type Step = RequestStep | ExtractionStep | CheckStep | LogStep;

/** The part of the test that a step belongs to. */
export interface StepPlace {
  readonly scenario: string;
  readonly page: string | null;
  /** Nested groups are joined by `::`. */
  readonly group: string | null;
}

interface RequestStep extends StepPlace {
  readonly kind: "request";
  readonly name: string;
  readonly method: string;
  readonly url: string;
  /** Empty if no response began. */
  readonly protocol: string;
  /** 0 if no response began. */
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string | null } | null;
  readonly responseTimeMs: number;
  readonly request: Message;
  readonly response: Message | null;
}

export interface Message {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The size of the body as it was sent; null if unknown. */
  readonly bodyBytes: number | null;
  /** The beginning of a text body; null for any other body. */
  readonly body: string | null;
  /** True if `body` is only the beginning. */
  readonly isCut: boolean;
}

/** A value that the test extracted from a response. */
interface ExtractionStep extends StepPlace {
  readonly kind: "extraction";
  /** In words. */
  readonly extractor: string;
  readonly value: string;
}

interface CheckStep extends StepPlace {
  readonly kind: "check";
  readonly name: string;
  readonly passed: boolean;
}

interface LogStep {
  readonly kind: "log";
  readonly level: string;
  readonly text: string;
  /** The scenario and the virtual user. */
  readonly from: string;
}

/** `bearhug doctor --json` */
export interface DoctorDocument extends Document<"bearhug/doctor@1"> {
  /** The version of Node.js. */
  readonly node: string;
  readonly platform: string;
  readonly release: string;
  readonly limits: readonly {
    readonly topic: string;
    readonly finding: string;
    /** Null if the system does not provide it. */
    readonly isEnough: boolean | null;
    readonly remedy: { readonly advice: string; readonly commands: readonly string[] } | null;
  }[];
  /** All folders that bearhug keeps outside of projects. */
  readonly folders: readonly KeptFolder[];
}

export interface KeptFolder {
  readonly path: string;
  /** The purpose, in a few words. */
  readonly purpose: string;
  /** The size of all files in it; 0 if it does not exist. */
  readonly bytes: number;
}

/** `bearhug import --json` */
export interface ImportDocument extends Document<"bearhug/import@1"> {
  /** The size of the capture in one line. */
  readonly summary: string;
  /** The site's origin. */
  readonly origin: string;
  /** The path of the test; null if none was written. */
  readonly test: string | null;
  /** The source of the test if it was not written to a file; otherwise null. */
  readonly source: string | null;
  /** The paths of all written files. */
  readonly written: readonly string[];
  /** The test's environment variables. */
  readonly variables: readonly {
    readonly name: string;
    readonly description: string;
    readonly isOptional: boolean;
  }[];
  readonly steps: readonly {
    readonly kind: "page" | "group";
    readonly name: string;
    readonly requests: number;
  }[];
  /** Requests that the test does not make, by host and reason. */
  readonly omissions: readonly { readonly host: string; readonly reason: string; readonly count: number }[];
  /** Parts of the capture that could not be read. */
  readonly unreadable: readonly { readonly path: string; readonly message: string }[];
  readonly notes: readonly string[];
}

export type OwnDocument =
  | CheckDocument
  | DoctorDocument
  | ImportDocument
  | ListDocument
  | ProblemsDocument
  | TryDocument;
