import { execFile, fork } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { makeRunFolder } from "@bearhug/plan/test-file/run-folders";
import { displayPath } from "@bearhug/plan/test-file/source-lines";
import { findUpwards } from "@bearhug/text/find-upwards";

import type { PlacedProblem } from "../documents/documents.ts";
import type { CompileResult, CompileRequest } from "./compiler/entry.ts";

const compilerEntry = fileURLToPath(import.meta.resolve("#compiler"));

/** The outcome of a type check of some files. */
export interface TypeCheck {
  readonly problems: readonly PlacedProblem[];
  /** Files whose project has no TypeScript. */
  readonly unchecked: readonly string[];
}

/**
 * Type-checks tests, and finds promises that they do not await, with their projects' own TypeScript and
 * options. Each `tsconfig.json` has its own process.
 */
export async function checkTypes(files: readonly string[]): Promise<TypeCheck> {
  const projects = new Map<string, Project>();
  const unchecked: string[] = [];
  for (const file of files.filter((one) => /\.[cm]?[jt]sx?$/.test(one))) {
    const path = resolve(file);
    const typescript = typescriptFor(path);
    if (typescript === null) {
      if (!isJavaScript(file)) unchecked.push(file);
      continue;
    }
    const config = findUpwards(dirname(path), "tsconfig.json");
    const key = `${typescript}\n${config ?? ""}`;
    const project = projects.get(key) ?? { typescript, config, files: [] };
    project.files.push(path);
    projects.set(key, project);
  }
  const problems: PlacedProblem[] = [];
  // One after another, because each uses several cores and much memory.
  for (const project of projects.values()) problems.push(...(await checkProject(project)));
  return { problems, unchecked };
}

/** True for JavaScript. Its types are not checked, but suffice to find promises that are not awaited. */
function isJavaScript(file: string): boolean {
  return /\.[cm]?jsx?$/.test(file);
}

interface Project {
  /** The folder of its TypeScript. */
  readonly typescript: string;
  /** The `tsconfig.json`; null if the files have none. */
  readonly config: string | null;
  readonly files: string[];
}

/** Returns the folder of the TypeScript installed for a file's project; null if there is none. */
function typescriptFor(file: string): string | null {
  for (const from of [file, join(process.cwd(), "here")]) {
    try {
      return dirname(createRequire(from).resolve("typescript/package.json"));
    } catch {
      // Not installed there.
    }
  }
  return null;
}

/**
 * Compiler options that override the project's: nothing is written, and declarations of packages are not
 * checked.
 */
const forcedOptions = {
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
  isolatedDeclarations: false,
  emitDeclarationOnly: false,
  rootDir: null,
  outDir: null,
};

/** Compiler options for tests without a `tsconfig.json`, which match how bearhug runs them. */
const defaultOptions = { module: "preserve", moduleResolution: "bundler", target: "es2023", strict: true };

/** Checks a project. A syntax error hides all type errors, so files without one are then checked again. */
async function checkProject(project: Project): Promise<PlacedProblem[]> {
  const problems = await compile(project);
  if (!problems.some(({ code }) => /^TS1\d{3}$/.test(code))) return problems;
  const broken = new Set(problems.map(({ file }) => resolve(file)));
  const files = project.files.filter((file) => !broken.has(file));
  if (files.length === 0 || files.length === project.files.length) return problems;
  return [...problems, ...(await compile({ ...project, files }))];
}

async function compile({ typescript, config, files }: Project): Promise<PlacedProblem[]> {
  const [first = ""] = files;
  const home = dirname(config ?? first);
  const modules = findUpwards(home, "node_modules");
  // In the project's node_modules, where TypeScript finds `@types`; if that is not writable, `typeRoots`
  // names them.
  const folder = await makeRunFolder(modules);
  const written = join(folder, "tsconfig.json");
  const compilerOptions = {
    ...(config === null ? { ...defaultOptions, types: hasNodeTypes(home) ? ["node"] : [] } : {}),
    ...forcedOptions,
    ...(modules === null || folder.startsWith(modules) ? {} : { typeRoots: [join(modules, "@types")] }),
    ...(files.some(isJavaScript) ? { allowJs: true } : {}),
    ...(findUpwards(home, join("node_modules", "@bearhug", "sdk")) === null ? { paths: ownPaths() } : {}),
  };
  try {
    const extending = config === null ? {} : { extends: config };
    await writeFile(
      written,
      JSON.stringify({ ...extending, compilerOptions, files, include: [], references: [] }),
    );
    const { output, floating } = await runCompiler({ typescript, config: written, tests: files });
    const compilerOutput =
      output ?? (await run([join(typescript, "bin", "tsc"), "-p", written, "--pretty", "false"]));
    const notAwaited = floating.map((one) => ({
      ...one,
      file: displayPath(resolve(one.file)),
      code: "NOT_AWAITED",
    }));
    const owner = displayPath(config ?? first);
    // TypeScript places mistakes in options of the project at the file that extends it.
    const problems = readProblems(compilerOutput, owner).map((one) =>
      resolve(one.file) === written ? { ...one, file: owner, line: 1, column: 1 } : one,
    );
    return [...problems, ...notAwaited];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function hasNodeTypes(folder: string): boolean {
  return findUpwards(folder, join("node_modules", "@types", "node")) !== null;
}

/** Maps imports to the SDK of this command line, for tests whose project has none. */
function ownPaths(): Record<string, string[]> {
  const module = fileURLToPath(import.meta.resolve("@bearhug/sdk"));
  // TypeScript would read the JavaScript file, which has no types.
  const path = module.replace(/\.js$/, ".d.ts");
  return { "@bearhug/sdk": [path], bearhug: [path] };
}

const maxOutputBytes = 2 ** 26;

/** Compiles in a separate process, because it uses much time and memory. */
function runCompiler(request: CompileRequest): Promise<CompileResult> {
  return new Promise((resolveAnswer) => {
    // If the process ends without an answer, as TypeScript does when memory runs out, the caller runs `tsc`,
    // which prints why.
    let answer: CompileResult = { output: null, floating: [] };
    const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
    const child = fork(compilerEntry, [JSON.stringify(request)], { execArgv: [], stdio: [...stdio] });
    child.on("message", (message) => {
      answer = message as CompileResult;
    });
    child.on("error", () => resolveAnswer(answer));
    child.on("exit", () => resolveAnswer(answer));
  });
}

/** Runs a script and returns its output. The exit code adds nothing to it. */
function run(script: readonly string[]): Promise<string> {
  return new Promise((resolveRun) => {
    execFile(
      process.execPath,
      [...script],
      { maxBuffer: maxOutputBytes, windowsHide: true },
      (_error, stdout, stderr) => resolveRun(stdout + stderr),
    );
  });
}

const placed = /^(?<file>\S.*)\((?<line>\d+),(?<column>\d+)\): error (?<message>TS\d+: .*)$/;
const unplaced = /^error (?<message>TS\d+: .*)$/;

/**
 * Parses the errors that `tsc` prints. Those without a place belong to the project. Indented lines continue
 * the line above.
 */
export function readProblems(output: string, project: string): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  for (const line of output.split(/\r?\n/)) {
    const { file, line: row, column, message } = (placed.exec(line) ?? unplaced.exec(line))?.groups ?? {};
    const last = problems.at(-1);
    if (message !== undefined)
      problems.push({
        ...(file === undefined
          ? { file: project, line: 1, column: 1 }
          : { file: displayPath(resolve(file)), line: Number(row), column: Number(column) }),
        code: message.split(":", 1)[0] ?? "",
        message,
      });
    else if (last !== undefined && /^\s+\S/.test(line))
      problems[problems.length - 1] = { ...last, message: `${last.message} ${line.trim()}` };
  }
  return problems;
}
