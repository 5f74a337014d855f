import type { Load } from "./load.ts";

/** A load as one tool gets it. */
export interface Order extends Load {
  /** Of the first file. */
  readonly url: string;
  readonly assetUrls: readonly string[];
  /** For which the tool is to make requests. */
  readonly seconds: number;
}

/** How a tool is started. */
export interface Invocation {
  readonly options: readonly string[];
  /** What the file contains whose path stands in the options as `scriptPath`. */
  readonly script?: string;
}

/** Replaced by the path of the script. */
export const scriptPath = "{script}";

export interface Tool {
  readonly id: ToolId;
  readonly title: string;
  /** Looked up on the PATH, unless it is an absolute path. */
  readonly command: readonly [string, ...string[]];
  /** Prints the version. */
  readonly versionOptions: readonly string[];
  /** Null if the tool cannot make this load. */
  readonly invoke: (order: Order) => Invocation;
}

export type ToolId =
  | "wrk"
  | "ab"
  | "oha"
  | "autocannon"
  | "h2load"
  | "k6"
  | "bearhug"
  | "bearhug-script"
  | "bearhug-fetch"
  | "bearhug-undici";
