import { realpathSync } from "node:fs";
import { join } from "node:path";

import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

import { type Bounds, describeBounds, hostFlags, limitFlags } from "./bounds.ts";
import { type Ended, runBearhug } from "./command.ts";
import type { DocsSearch } from "./search-docs.ts";
import { fileWithin, RefusedPath } from "./test-path.ts";

export interface ServerParts {
  readonly version: string;
  readonly bounds: Bounds;
  /** The program of the command, with Node's options. */
  readonly command: readonly string[];
  /** An empty configuration, in place of the project's. */
  readonly config: string;
  /** The folder of the results of runs. */
  readonly results: string;
  /** Made when it is first asked. */
  readonly docs: () => DocsSearch;
}

const testEndings = [".ts", ".mts", ".js", ".mjs"];
const resultEndings = [".json"];

/** Loading tests, type-checking and setup take their time beside the load. */
const besideLoadMs = 180_000;

const file = z.string().min(1).describe("Path of a test, such as load/shop.load.ts.");
const variables = z
  .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())
  .optional()
  .describe("Values of the environment variables that the test declares.");
const scenario = z
  .string()
  .regex(/^[^,-][^,]*$/)
  .optional()
  .describe("Only this scenario.");

/** An MCP server whose tools are commands of bearhug, within the bounds. */
export function createServer(parts: ServerParts): McpServer {
  const { version, bounds, command } = parts;
  const server = new McpServer(
    { name: "bearhug", version },
    {
      instructions: `bearhug is a load-testing tool. ${describeBounds(bounds)} Write a test, then validate it, try it, and run it. search_docs answers how tests are written.`,
    },
  );
  const start: Start = (words, signal, timeoutMs = besideLoadMs) =>
    runBearhug(words, { command, cwd: bounds.directory, signal, timeoutMs });
  const testFile = (path: string): string => fileWithin(path, [realpathSync(bounds.directory)], testEndings);
  addLooks(server, parts, { start, testFile });
  addRun(server, parts, { start, testFile });
  addReading(server, parts, start);
  return server;
}

type Start = (words: readonly string[], signal: AbortSignal, timeoutMs?: number) => Promise<Ended>;

interface Running {
  readonly start: Start;
  /** @throws {RefusedPath} */
  readonly testFile: (path: string) => string;
}

/** The tools that apply no load. */
function addLooks(server: McpServer, { bounds, config }: ServerParts, { start, testFile }: Running): void {
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
      answered(async () => {
        const flags = ["--json", "--config", config, ...limitFlags(bounds), ...envFlags(values)];
        return textOf(await start(["check", ...flags, testFile(path)], signal));
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
      answered(async () => {
        const flags = ["--json", ...hostFlags(bounds), ...scenarioFlags(name), ...envFlags(values)];
        return textOf(await start(["try", ...flags, testFile(path)], signal));
      }),
  );
}

function addRun(
  server: McpServer,
  { bounds, config, results }: ServerParts,
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
        vus: z.int().min(1).optional().describe("Virtual users, in place of the test's."),
        seconds: z.number().positive().optional().describe("Duration of the load, in place of the test's."),
        variables,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    ({ file: path, scenario: name, vus, seconds, variables: values }, { mcpReq: { signal } }) =>
      answered(async () => {
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
          ...(seconds === undefined ? [] : ["--duration", `${seconds}s`]),
          ...scenarioFlags(name),
          ...envFlags(values),
        ];
        isRunning = true;
        try {
          const longestMs = bounds.seconds * 1000 + besideLoadMs;
          return summaryOf(await start(["run", ...flags, test], signal, longestMs), result);
        } finally {
          isRunning = false;
        }
      }),
  );
}

/** The result as JSON for later, and in Markdown for the agent. */
function outputFlags(result: string): string[] {
  return ["--out", `json=${result}`, "--out", "markdown=-"];
}

/** The tools that read what is there. */
function addReading(server: McpServer, { bounds, results, docs }: ServerParts, start: Start): void {
  server.registerTool(
    "read_result",
    {
      title: "Read a result",
      description:
        "Summarizes a saved result (result.json): verdict, thresholds, latencies, errors, and what limited the load generator.",
      inputSchema: z.strictObject({ path: z.string().min(1).describe("Path of a JSON result.") }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ path }, { mcpReq: { signal } }) =>
      answered(async () => {
        const folders = [bounds.directory, results].map((folder) => realpathSync(folder));
        const result = fileWithin(path, folders, resultEndings);
        return summaryOf(await start(["report", result, "--out", "markdown=-"], signal), result);
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

function envFlags(values: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
}

function scenarioFlags(name: string | undefined): string[] {
  return name === undefined ? [] : ["--scenario", name];
}

/** What is refused is an answer that the agent can read and act on. */
async function answered(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
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
  return { ...text(sentence), isError: true };
}

/** An answer must leave room in the agent's context. */
const mostCharacters = 24_000;

/** The document of a command, or what it says in place of one. */
function textOf({ exitCode, stdout, stderr }: Ended): CallToolResult {
  const shown = stdout === "" ? `exit code ${exitCode ?? "none, it was killed"}\n${stderr}` : stdout;
  return { ...text(cut(shown)), isError: exitCode !== 0 };
}

/** A report in Markdown, with the exit code and the path of the result. A failed verdict is an answer, and not an error. */
function summaryOf({ exitCode, stdout, stderr }: Ended, result: string): CallToolResult {
  if (stdout === "") return refusal(cut(`exit code ${exitCode ?? "none, it was killed"}\n${stderr}`));
  return text(cut(`exit code: ${exitCode ?? "none, it was killed"}\nresult: ${result}\n\n${stdout}`));
}

function cut(shown: string): string {
  if (shown.length <= mostCharacters) return shown;
  return `${shown.slice(0, mostCharacters)}\n… (the first ${mostCharacters} of ${shown.length} characters)`;
}
