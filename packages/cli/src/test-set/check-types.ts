import { execFile, fork } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { makeRunFolder } from "@bearhug/plan/test-file/run-folders";
import { shownPath } from "@bearhug/plan/test-file/source-lines";
import { findAround } from "@bearhug/text/folders-around";

import type { PlacedProblem } from "../documents/documents.ts";
import type { CompileAnswer, CompileRequest } from "./compiler/entry.ts";

const compilerEntry = fileURLToPath(import.meta.resolve("#compiler"));

/** The outcome of a type check of some files. */
export interface TypeCheck {
  readonly problems: readonly PlacedProblem[];
  /** Files whose project has no TypeScript. */
  readonly unchecked: readonly string[];
}

/** Type-checks tests, and finds promises that they do not await, with their projects' own TypeScript and options, in a process for each `tsconfig.json`. */
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
    const config = findAround(dirname(path), "tsconfig.json");
    const key = `${typescript}\n${config ?? ""}`;
    const project = projects.get(key) ?? { typescript, config, files: [] };
    project.files.push(path);
    projects.set(key, project);
  }
  const problems: PlacedProblem[] = [];
  // One after another: each takes all the memory and time that it can get.
  for (const project of projects.values()) problems.push(...(await checkProject(project)));
  return { problems, unchecked };
}

/** Its types are not checked, but known well enough to find promises that nothing awaits. */
function isJavaScript(file: string): boolean {
  return /\.[cm]?jsx?$/.test(file);
}

interface Project {
  /** The folder of its TypeScript. */
  readonly typescript: string;
  /** Null for files without one. */
  readonly config: string | null;
  readonly files: string[];
}

/** The folder of the TypeScript that the file's project has installed; null if there is none. */
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

/** Nothing is written, whatever the project says; packages' own declarations are not what is checked. */
const imposed = {
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

/** For tests without a `tsconfig.json`: as bearhug runs them. */
const usual = { module: "preserve", moduleResolution: "bundler", target: "es2023", strict: true };

/** A syntax error hides all errors of types: then the other files are checked once more. */
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
  const modules = findAround(home, "node_modules");
  // Near the project, where TypeScript finds its `@types`; they are named where that cannot be written to.
  const folder = await makeRunFolder(modules);
  const written = join(folder, "tsconfig.json");
  const compilerOptions = {
    ...(config === null ? { ...usual, types: hasNodeTypes(home) ? ["node"] : [] } : {}),
    ...imposed,
    ...(modules === null || folder.startsWith(modules) ? {} : { typeRoots: [join(modules, "@types")] }),
    ...(files.some(isJavaScript) ? { allowJs: true } : {}),
    ...(findAround(home, join("node_modules", "@bearhug", "sdk")) === null ? { paths: ownPaths() } : {}),
  };
  try {
    const extending = config === null ? {} : { extends: config };
    await writeFile(
      written,
      JSON.stringify({ ...extending, compilerOptions, files, include: [], references: [] }),
    );
    const { output, floating } = await ask({ typescript, config: written, tests: files });
    const told = output ?? (await run([join(typescript, "bin", "tsc"), "-p", written, "--pretty", "false"]));
    const notAwaited = floating.map((one) => ({
      ...one,
      file: shownPath(resolve(one.file)),
      code: "NOT_AWAITED",
    }));
    return [...readProblems(told, shownPath(config ?? first)), ...notAwaited];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function hasNodeTypes(folder: string): boolean {
  return findAround(folder, join("node_modules", "@types", "node")) !== null;
}

/** The SDK of this command line, for tests beside which none is installed. */
function ownPaths(): Record<string, string[]> {
  const module = fileURLToPath(import.meta.resolve("@bearhug/sdk"));
  // TypeScript would take the code for the module, and find no types in it.
  const path = module.replace(/\.js$/, ".d.ts");
  return { "@bearhug/sdk": [path], bearhug: [path] };
}

const mostOutputBytes = 2 ** 26;

/** Compiles in a process of its own: it takes all the time and memory that it can get. */
function ask(request: CompileRequest): Promise<CompileAnswer> {
  return new Promise((resolveAnswer) => {
    // Where it ends without one, as TypeScript does without memory, `tsc` says why.
    let answer: CompileAnswer = { output: null, floating: [] };
    const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
    const child = fork(compilerEntry, [JSON.stringify(request)], { execArgv: [], stdio: [...stdio] });
    child.on("message", (message) => {
      answer = message as CompileAnswer;
    });
    child.on("error", () => {
      resolveAnswer(answer);
    });
    child.on("exit", () => {
      resolveAnswer(answer);
    });
  });
}

/** Runs a script to its end. The exit code says no more than the output does. */
function run(script: readonly string[]): Promise<string> {
  return new Promise((resolveRun) => {
    execFile(
      process.execPath,
      [...script],
      { maxBuffer: mostOutputBytes, windowsHide: true },
      (_error, stdout, stderr) => {
        resolveRun(stdout + stderr);
      },
    );
  });
}

const placed = /^(?<file>\S.*)\((?<line>\d+),(?<column>\d+)\): error (?<message>TS\d+: .*)$/;
const unplaced = /^error (?<message>TS\d+: .*)$/;

/** The errors in what `tsc` prints; those without a place are of the project. Indented lines go on with the line above. */
export function readProblems(output: string, project: string): PlacedProblem[] {
  const problems: PlacedProblem[] = [];
  for (const line of output.split(/\r?\n/)) {
    const { file, line: row, column, message } = (placed.exec(line) ?? unplaced.exec(line))?.groups ?? {};
    const last = problems.at(-1);
    if (message !== undefined)
      problems.push({
        ...(file === undefined
          ? { file: project, line: 1, column: 1 }
          : { file: shownPath(resolve(file)), line: Number(row), column: Number(column) }),
        code: message.split(":", 1)[0] ?? "",
        message,
      });
    else if (last !== undefined && /^\s+\S/.test(line))
      problems[problems.length - 1] = { ...last, message: `${last.message} ${line.trim()}` };
  }
  return problems;
}
