import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";

import { command } from "../command.ts";
import { runBearhug, surroundings, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { attach, type DebuggedThread } from "./inspector.ts";

const launchSchema = z.object({
  configurations: z.array(
    z.object({
      name: z.string(),
      program: z.string().optional(),
      cwd: z.string().optional(),
      args: z.array(z.string()).optional(),
      outFiles: z.array(z.string()),
    }),
  ),
});

interface Project {
  readonly folder: string;
  readonly test: string;
  /** Returns the line of the test with this text, counted from 1. */
  readonly lineOf: (text: string) => number;
}

/** Runs `bearhug init` in a new folder and installs the command under test there. */
async function initiated(): Promise<Project> {
  const folder = temporaryFolder();
  const { url } = await startServer();
  await runBearhug(["init", url, "--yes"], folder);
  const installed = join(folder, "node_modules/bearhug");
  mkdirSync(installed, { recursive: true });
  cpSync(join(import.meta.dirname, "../../bin"), join(installed, "bin"), { recursive: true });
  cpSync(join(dirname(command), "../package.json"), join(installed, "package.json"));
  symlinkSync(dirname(command), join(installed, "dist"), "junction");
  const test = join(folder, "load/first.load.ts");
  const lines = readFileSync(test, "utf8").split("\n");
  return { folder, test, lineOf: (text) => lines.findIndex((line) => line.includes(text)) + 1 };
}

/** Starts a launch configuration of the project as an editor would: the debugger first, then the program. */
function launch(name: string, { folder, test }: Project) {
  const launchFile: unknown = JSON.parse(readFileSync(join(folder, ".vscode/launch.json"), "utf8"));
  const { configurations } = launchSchema.parse(launchFile);
  const configuration = configurations.find((one) => one.name === name);
  const resolve = (text = "") => text.replace("${workspaceFolder}", folder).replace("${file}", test);
  const { program, cwd, args = [], outFiles = [] } = configuration ?? {};
  const child = spawn(process.execPath, ["--inspect-brk=0", resolve(program), ...args.map(resolve)], {
    cwd: resolve(cwd),
    stdio: ["ignore", "ignore", "pipe"],
    env: surroundings({}),
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return { child, outFiles: outFiles.map(resolve) };
}

interface Stop {
  readonly thread: DebuggedThread;
  readonly file: string;
  readonly line: number;
  /** Disconnects the debugger, so that all threads continue. */
  readonly leave: () => void;
}

const pausedSchema = z.object({
  reason: z.string(),
  data: z.object({ url: z.string(), sourceMapURL: z.string(), scriptId: z.string() }).optional(),
  hitBreakpoints: z.array(z.string()).default([]),
  callFrames: z.array(
    z.object({
      location: z.object({ scriptId: z.string(), lineNumber: z.number(), columnNumber: z.number() }),
    }),
  ),
});
const mapSchema = z.object({
  version: z.number(),
  file: z.string().default(""),
  sourceRoot: z.string().default(""),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
});

/** Sets a breakpoint on a line of a source in each thread that loads it, and resolves at the first stop there. */
async function stopAt(
  { child, outFiles }: ReturnType<typeof launch>,
  source: string,
  line: number,
): Promise<Stop> {
  const stop = Promise.withResolvers<Omit<Stop, "leave">>();
  const [announcement] = (await once(createInterface({ input: child.stderr }), "line")) as [string];
  child.stderr.resume();
  const session = await attach(/ws:\S+/.exec(announcement)?.[0] ?? "", async (thread) => {
    const maps = new Map<string, { readonly url: string; readonly map: SourceMap; readonly lines: number }>();
    const set = new Set<string>();
    const onPause = async (params: unknown): Promise<void> => {
      const { reason, data, hitBreakpoints, callFrames } = pausedSchema.parse(params);
      const at = callFrames[0]!.location;
      const own = maps.get(at.scriptId);
      if (own !== undefined && hitBreakpoints.some((id) => set.has(id))) {
        const entry = own.map.findEntry(at.lineNumber, at.columnNumber);
        if (!("originalSource" in entry)) throw new Error("the stop is not in the source map");
        const file = fileURLToPath(new URL(entry.originalSource, own.url));
        stop.resolve({ thread, file, line: entry.originalLine + 1 });
        return;
      }
      if (reason === "instrumentation" && data !== undefined && mayMap(data.url, outFiles)) {
        const text = readFileSync(new URL(data.sourceMapURL, data.url), "utf8");
        const map = new SourceMap(mapSchema.parse(JSON.parse(text)));
        const lines = readFileSync(new URL(data.url), "utf8").split("\n").length;
        maps.set(data.scriptId, { url: data.url, map, lines });
        const lineNumber = generatedLine(map, data.url, lines, source, line);
        const breakpoint = await thread.command("Debugger.setBreakpointByUrl", { url: data.url, lineNumber });
        set.add(z.object({ breakpointId: z.string() }).parse(breakpoint).breakpointId);
      }
      await thread.command("Debugger.resume");
    };
    thread.on("Debugger.paused", (params) => void onPause(params).catch(stop.reject));
    await thread.command("Debugger.enable");
    await thread.command("Debugger.setInstrumentationBreakpoint", {
      instrumentation: "beforeScriptWithSourceMapExecution",
    });
  });
  onTestFinished(session.close);
  return { ...(await stop.promise), leave: session.close };
}

/** True if an editor would read the file's source map: it does so only for files that match `outFiles`. */
function mayMap(url: string, outFiles: readonly string[]): boolean {
  return (
    url.startsWith("file:") && outFiles.some((pattern) => globSync(pattern).includes(fileURLToPath(url)))
  );
}

/** Returns the first line of the bundle that comes from a line of its source. */
function generatedLine(map: SourceMap, url: string, lines: number, source: string, line: number): number {
  for (let index = 0; index < lines; index++) {
    const entry = map.findEntry(index, 1_000);
    if (!("originalSource" in entry) || entry.generatedLine !== index) continue;
    const file = fileURLToPath(new URL(entry.originalSource, url));
    if (file === source && entry.originalLine === line - 1) return index;
  }
  throw new Error(`line ${line} of ${source} is not in the bundle`);
}

test("a breakpoint in a scenario stops in the main thread, and the run can continue to its end", async () => {
  const project = await initiated();
  const started = launch("bearhug: debug this test", project);
  const line = project.lineOf("await http.get(");
  const stop = await stopAt(started, project.test, line);
  expect(stop).toMatchObject({ file: project.test, line, thread: { isWorker: false } });
  // At its end, Node's process would wait for the debugger to disconnect.
  stop.leave();
  const [exitCode] = (await once(started.child, "exit")) as [number];
  expect(exitCode).toBe(0);
});

test("a breakpoint in a scenario stops in a worker thread", async () => {
  const project = await initiated();
  const started = launch("bearhug: debug this test in worker threads", project);
  const line = project.lineOf("check(response");
  const stop = await stopAt(started, project.test, line);
  expect(stop).toMatchObject({ file: project.test, line, thread: { isWorker: true } });
});
