import { realpathSync } from "node:fs";
import { join } from "node:path";

import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

import { type Bounds, describeBounds, hostFlags, limitFlags, fileWithin, RefusedPath } from "./bounds.ts";
import { type CommandEnd, type CapturedOutput, runBearhug } from "./command.ts";
import type { DocsSearch } from "./search-docs.ts";

export interface ServerOptions {
  readonly version: string;
  readonly bounds: Bounds;
  /** The program, preceded by Node's options. */
  readonly command: readonly string[];
  /** The path of an empty configuration, which replaces the project's. */
  readonly config: string;
  /** The folder of the results of runs. */
  readonly results: string;
  /** Kills the current command. */
  readonly kill: AbortSignal;
  /** Creates the search at its first use. */
  readonly docs: () => DocsSearch;
}

const testEndings = [".ts", ".mts", ".js", ".mjs"];
const resultEndings = [".json"];

/** Time for loading tests, type-checking and setup, in addition to the load. */
const overheadMs = 180_000;

/** Time for loading a test, in addition to one iteration. */
const tryOverheadMs = 5_000;

/** All systems support environment variables of this size. */
const maxVariableBytes = 30_000;

const path = z.string().min(1).max(4096);
const file = path.describe("Path of a test, such as load/shop.load.ts.");
const value = z
  .string()
  .refine(
    (text) => !/[\0\r\n]/.test(text),
    "must be one line without NUL bytes. The user can set others in the environment of bearhug-mcp.",
  );
const variables = z
  .record(z.string().regex(/^[A-Za-z_]\w*$/), value)
  .refine(
    (values) => Buffer.byteLength(JSON.stringify(values)) <= maxVariableBytes,
    `must have at most ${maxVariableBytes} bytes together.`,
  )
  .optional()
  .describe("Values of the environment variables that the test declares, of one line each.");
const load = {
  vus: z.int().min(1).optional().describe("Virtual users, in place of the test's."),
  seconds: z
    .number()
    .min(0.001, "must be at least 0.001, which is a millisecond.")
    .max(1_000_000)
    .optional()
    .describe("Duration of the load, in place of the test's."),
};
const scenario = z
  .string()
  .regex(/^[^,-][^,]*$/)
  .optional()
  .describe("Only this scenario.");

/** Creates an MCP server whose tools run bearhug commands within the bounds. */
export function createServer(options: ServerOptions): McpServer {
  const { version, bounds, command, kill } = options;
  const server = new McpServer(
    { name: "bearhug", version },
    {
      instructions: `bearhug is a load-testing tool. ${describeBounds(bounds)} Write a test, then validate it, try it, and run it. search_docs answers how tests are written.`,
    },
  );
  const turns = new Turns();
  const start: Start = (words, { signal, variables: values = {}, timeoutMs = overheadMs }) =>
    turns.take(signal, () =>
      runBearhug(words, {
        command,
        cwd: bounds.directory,
        variables: values,
        signal,
        kill,
        timeoutMs,
      }),
    );
  const testFile = (path: string): string => fileWithin(path, [realpathSync(bounds.directory)], testEndings);
  addNoLoadTools(server, options, { start, testFile });
  addRun(server, options, { start, testFile });
  addReadingTools(server, options, start);
  return server;
}

interface Call {
  readonly signal: AbortSignal;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs?: number;
}

/** Runs a command once earlier ones have ended. */
type Start = (words: readonly string[], call: Call) => Promise<CommandEnd>;

interface Running {
  readonly start: Start;
  /** @throws {RefusedPath} */
  readonly testFile: (path: string) => string;
}

/** Adds the tools that apply no load. */
function addNoLoadTools(
  server: McpServer,
  { bounds, config }: ServerOptions,
  { start, testFile }: Running,
): void {
  server.registerTool(
    "validate",
    {
      title: "Validate a test",
      description:
        "Checks a test, with its types, and shows what a run would do. Sends nothing. Problems have codes and places; a test beyond the bounds is a problem, too.",
      inputSchema: z.strictObject({ file, variables }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ file: path, variables: values }, { mcpReq: { signal } }) =>
      withRejections(async () => {
        const flags = ["--json", "--config", config, ...limitFlags(bounds)];
        return textOf(await start(["check", ...flags, testFile(path)], { signal, variables: values }));
      }),
  );
  server.registerTool(
    "try_test",
    {
      title: "Try a test",
      description:
        "Runs one iteration of each scenario and returns every request, response, check and log line. Secrets are masked.",
      inputSchema: z.strictObject({ file, scenario, variables }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    ({ file: path, scenario: name, variables: values }, { mcpReq: { signal } }) =>
      withRejections(async () => {
        const flags = ["--json", ...hostFlags(bounds), ...scenarioFlags(name)];
        const timeoutMs = bounds.seconds * 1000 + tryOverheadMs;
        const words = ["try", ...flags, testFile(path)];
        return textOf(await start(words, { signal, variables: values, timeoutMs }));
      }),
  );
}

function addRun(
  server: McpServer,
  { bounds, config, results }: ServerOptions,
  { start, testFile }: Running,
): void {
  let isRunning = false;
  server.registerTool(
    "run_test",
    {
      title: "Run a load test",
      description: `Applies the test's load and returns a summary, the exit code and the path of the result, which is removed when this server ends. ${describeBounds(bounds)}`,
      inputSchema: z.strictObject({
        file,
        scenario,
        ...load,
        variables,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    ({ file: path, scenario: name, vus, seconds, variables: values }, { mcpReq: { signal } }) =>
      withRejections(async () => {
        if (isRunning) return refusal("A run is under way. Wait for its end: two would share the machine.");
        const test = testFile(path);
        const result = join(results, `${new Date().toISOString().replaceAll(/[:.]/g, "-")}.json`);
        const flags = [
          "--quiet",
          ...outputFlags(result),
          "--config",
          config,
          ...limitFlags(bounds),
          ...(vus === undefined ? [] : ["--vus", String(vus)]),
          ...(seconds === undefined ? [] : ["--duration", `${Math.round(seconds * 1000)}ms`]),
          ...scenarioFlags(name),
        ];
        isRunning = true;
        try {
          const timeoutMs = bounds.seconds * 1000 + overheadMs;
          const words = ["run", ...flags, test];
          return summaryOf(await start(words, { signal, variables: values, timeoutMs }), result);
        } finally {
          isRunning = false;
        }
      }),
  );
}

/** Returns the options that write the result as JSON to a file, and as Markdown to stdout for the agent. */
function outputFlags(result: string): string[] {
  return ["--out", `json=${result}`, "--out", "markdown=-"];
}

/** Adds the tools that read existing results and the documentation. */
function addReadingTools(server: McpServer, { bounds, results, docs }: ServerOptions, start: Start): void {
  server.registerTool(
    "read_result",
    {
      title: "Read a result",
      description:
        "Summarizes a saved result (result.json): verdict, thresholds, latencies, errors, and what limited the load generator.",
      inputSchema: z.strictObject({ path: path.describe("Path of a JSON result.") }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ path: given }, { mcpReq: { signal } }) =>
      withRejections(async () => {
        const folders = [bounds.directory, results].map((folder) => realpathSync(folder));
        const result = fileWithin(given, folders, resultEndings);
        return summaryOf(await start(["report", result, "--out", "markdown=-"], { signal }), result);
      }),
  );
  server.registerTool(
    "search_docs",
    {
      title: "Search the documentation",
      description: "Finds the passages of bearhug's documentation that answer a question.",
      inputSchema: z.strictObject({
        query: z.string().min(1).max(300),
        most: z.int().min(1).max(10).default(4).describe("Number of passages."),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ query, most }) => {
      const found = docs().find(query, most);
      if (found.length === 0) return text("Nothing found. Try other words.");
      const shown = found.map(({ page, title, text: passage }) => `# ${title} (${page})\n\n${passage}`);
      return text(shown.join("\n\n"));
    },
  );
}

function scenarioFlags(name: string | undefined): string[] {
  return name === undefined ? [] : ["--scenario", name];
}

/** Turns a rejected path into a tool result that the agent can read and act on. */
async function withRejections(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusedPath) return refusal(error.message);
    throw error;
  }
}

function text(shown: string): CallToolResult {
  return { content: [{ type: "text", text: shown }] };
}

function refusal(sentence: string): CallToolResult {
  return { ...text(cut(asOutput(sentence))), isError: true };
}

/** The length limit of a reply, which must leave room in the agent's context. */
const maxCharacters = 24_000;

/** Returns the document that a command printed, or a description of its failure. */
function textOf(ended: CommandEnd): CallToolResult {
  const { exitCode, stdout } = ended;
  if (stdout.text === "" || ended.isLate) return failure(ended);
  return { ...text(cut(stdout)), isError: exitCode !== 0 };
}

/**
 * Returns a report in Markdown, with the exit code and the path of the result. A failed verdict is not a tool
 * error.
 */
function summaryOf(ended: CommandEnd, result: string): CallToolResult {
  if (ended.stdout.text === "") return failure(ended);
  return text(`${exitLine(ended)}result: ${result}\n\n${cut(ended.stdout)}`);
}

/** Describes the end of a command that printed no document. */
function failure(ended: CommandEnd): CallToolResult {
  const shown = ended.stdout.text === "" ? ended.stderr : ended.stdout;
  return { ...text(`${exitLine(ended)}${cut(shown)}`), isError: true };
}

function exitLine({ exitCode, isLate }: CommandEnd): string {
  const late = isLate ? "It was stopped, as it took too long.\n" : "";
  return `exit code: ${exitCode ?? "none, it was killed"}\n${late}`;
}

function asOutput(shown: string): CapturedOutput {
  return { text: shown, length: shown.length };
}

function cut({ text: start, length }: CapturedOutput): string {
  if (length <= maxCharacters) return start;
  return `${start.slice(0, maxCharacters)}\n… (the first ${maxCharacters} of ${length} characters)`;
}

/** Runs one piece of work at a time, in the order of the calls. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws the signal's reason if it aborted before the turn */
  take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => null);
    return turn;
  }
}
