import type { Load } from "./load.ts";

/** A load for one tool, with full addresses. */
export interface ToolLoad extends Load {
  /** The URL of the first file. */
  readonly url: string;
  readonly assetUrls: readonly string[];
  /** How long the tool should make requests. */
  readonly seconds: number;
}

/** How a tool is started. */
export interface Invocation {
  readonly options: readonly string[];
  /** The content of the script file, whose path replaces `scriptPath` in the options. */
  readonly script?: string;
}

/** A placeholder for the path of the script. */
export const scriptPath = "{script}";

export interface Tool {
  readonly id: ToolId;
  readonly title: string;
  /** Looked up on the PATH, unless it is an absolute path. */
  readonly command: readonly [string, ...string[]];
  /** Prints the version. */
  readonly versionOptions: readonly string[];
  /** Returns how to start the tool for a load. */
  readonly invoke: (load: ToolLoad) => Invocation;
}

export type ToolId =
  | "wrk"
  | "ab"
  | "oha"
  | "autocannon"
  | "h2load"
  | "k6"
  | "sockets"
  | "dispatch"
  | "fetch"
  | "bearhug"
  | "bearhug-script"
  | "bearhug-fetch"
  | "bearhug-undici";
