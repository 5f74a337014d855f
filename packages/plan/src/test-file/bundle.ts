import { createHash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { InvalidInput } from "@bearhug/sdk";
import { findUpwards } from "@bearhug/text/find-upwards";
import type { BuildFailure, BuildOptions, Message, Plugin } from "esbuild";

import { InvalidTest, type TestProblem } from "../definition/invalid-test.ts";
import {
  leaveOutside,
  nothingOutside,
  outsidePlugin,
  unloadableFile,
  unresolvedName,
} from "./bundle-outside.ts";
import { placeModules, type PlacedModules } from "./bundle-places.ts";
import { isK6Module, k6Problem } from "./k6-script.ts";
import { makeRunFolder } from "./run-folders.ts";
import { displayPath, startOfFile } from "./source-lines.ts";

/** A test file as one module that workers can load. */
export interface Bundle {
  readonly path: string;
  /** The folder of the test itself. */
  readonly folder: string;
  /** True if its code, or that of a package in it, may call `fetch` or use undici. */
  readonly mayFetch: boolean;
  /** True if it may have a `setup`, a `teardown` or a `summary`. */
  readonly mayHaveStages: boolean;
  /** Identical for identical code, wherever the files are. */
  readonly fingerprint: string;
  remove(): void;
}

/**
 * The names of this package and of the SDK: a test runs with the SDK of the command line, whatever is
 * installed beside it.
 */
const ownSdk = /^(@bearhug\/sdk|bearhug)$/;

/**
 * Bundles a test with its local imports and npm packages; the SDK stays outside and is
 * the command line's own.
 * @throws {InvalidInput} with one sentence for each thing that esbuild cannot read, or if no folder for
 * the bundle can be made
 */
export async function bundleTest(file: string): Promise<Bundle> {
  const entry = resolve(file);
  return bundleNear(entry, { entryPoints: [entry] });
}

/**
 * Bundles the text of a test that is in no file, as if it were in `file`.
 * @throws {InvalidInput} with one sentence for each thing that esbuild cannot read
 */
export async function bundleText(text: string, file: string): Promise<Bundle> {
  const entry = resolve(file);
  const stdin = {
    contents: text,
    resolveDir: dirname(entry),
    sourcefile: basename(entry),
    loader: "ts",
  } as const;
  return bundleNear(entry, { stdin });
}

/**
 * Bundles a script with its local imports; npm packages stay outside and are loaded from its project.
 * @throws {InvalidInput} with one sentence for each thing that esbuild cannot read, or if no folder for
 * the bundle can be made
 */
export async function bundleScript(file: string): Promise<Bundle> {
  const entry = resolve(file);
  return bundleNear(entry, { entryPoints: [entry], packages: "external" });
}

/**
 * Bundles a file that was chosen at run time, into the folder of the bundle that chose it. Modules that both
 * bundles contain are loaded twice.
 * @throws {InvalidInput} with one sentence for each thing that esbuild cannot read
 */
export async function bundleLate(file: string, folder: string): Promise<string> {
  const path = join(folder, `${nameOf(file)}-${randomUUID()}.mjs`);
  try {
    await build(dirname(file), { entryPoints: [file] }, path);
  } catch (error) {
    // The coordinator receives no positions from a running test, so the sentences contain them.
    throw error instanceof InvalidTest ? new InvalidInput(error.problems, { cause: error }) : error;
  }
  return path;
}

type Input = Pick<BuildOptions, "entryPoints" | "stdin" | "packages">;

async function bundleNear(entry: string, input: Input): Promise<Bundle> {
  // esbuild reads it as a pattern, and cannot be told not to.
  if (entry.includes("*")) {
    const message = "A file whose path has a * cannot be loaded. Rename it, or its folder.";
    throw new InvalidTest([{ path: "", message, position: startOfFile(entry) }]);
  }
  // Near the test, so that packages outside the bundle are found and a debugger can map back to the sources.
  const folder = await makeRunFolder(findUpwards(dirname(entry), "node_modules"));
  const path = join(folder, `${nameOf(entry)}.mjs`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  let placed: PlacedModules;
  try {
    placed = await build(dirname(entry), input, path);
  } catch (error) {
    remove();
    throw error;
  }
  const code = await readFile(path, "utf8");
  // A file chosen at run time may contain anything that a test may contain.
  const choosesLate = placed.importsLate();
  return {
    path,
    folder: dirname(entry),
    mayFetch: choosesLate || wordOfFetch.test(code),
    mayHaveStages: choosesLate || wordOfStages.test(code),
    fingerprint: fingerprintOf(code, placed.paths),
    remove,
  };
}

/**
 * Builds until every error is gone that only a package causes, or only a file that the run may never choose.
 * Most tests need one build.
 */
async function build(folder: string, input: Input, path: string): Promise<PlacedModules> {
  // Loaded here, because a test of URLs does not need it.
  const esbuild = await import("#esbuild");
  let outside = nothingOutside;
  const unreadable = new Set<string>();
  let areChoicesLeftOut = false;
  for (;;) {
    const placed = placeModules((file) => !areChoicesLeftOut && !unreadable.has(file));
    try {
      await esbuild.build({
        // By default, esbuild uses the working folder at the time it was loaded, which a program may have
        // changed since. Names in the bundle are relative to this folder.
        absWorkingDir: folder,
        ...input,
        outfile: path,
        bundle: true,
        format: "esm",
        platform: "node",
        target: "node22",
        sourcemap: "linked",
        logLevel: "silent",
        banner: { js: requireForCommonJs },
        plugins: [ownSdkPlugin, outsidePlugin(outside, folder), placed.plugin],
      });
      return placed;
    } catch (error) {
      if (!isBuildFailure(error)) throw error;
      const more = leaveOutside(outside, error.errors, folder);
      if (more === outside) {
        if (placed.choices.size === 0)
          throw new InvalidTest(describeFailure(error, folder), { cause: error });
        // A choice that cannot be read fails when it is chosen. So does one that imports such a file; it is
        // not known which one does, so all choices are left out then.
        const found = error.errors.map(({ location }) => resolve(folder, location?.file ?? ""));
        const chosen = found.filter((file) => placed.choices.has(file));
        for (const file of chosen) unreadable.add(file);
        areChoicesLeftOut = chosen.length === 0;
      }
      outside = more;
    }
  }
}

function nameOf(file: string): string {
  return basename(file).replace(/\.[^.]+$/, "");
}

/** Does not match `sec-fetch-mode` and the like, which every capture contains. */
const wordOfFetch = /(?<![\w-])(?:fetch|dispatcher|undici)(?![\w-])/;
const wordOfStages = /(?<![\w-])(?:setup|teardown|summary)(?![\w-])/;

/** Leaves out comments and the modules' own paths, which differ between checkouts of the same code. */
function fingerprintOf(code: string, paths: ReadonlySet<string>): string {
  let portable = code.replaceAll(/^\s*\/\/.*$/gm, "").replaceAll(ownSdkUrl(), "");
  for (const path of paths)
    portable = portable
      .replaceAll(pathToFileURL(path).href, "")
      .replaceAll(path, "")
      .replaceAll(JSON.stringify(dirname(path)), '""');
  portable = portable.replaceAll(process.cwd(), "");
  return createHash("sha256").update(portable).digest("hex").slice(0, 16);
}

/** CommonJS packages inside an ES module still call `require`. */
const requireForCommonJs =
  'import { createRequire as bearhugCreateRequire } from "node:module"; const require = bearhugCreateRequire(import.meta.url);';

/** Returns the address from which bundles import the SDK. */
export function ownSdkUrl(): string {
  return import.meta.resolve("@bearhug/sdk");
}

const ownSdkPlugin: Plugin = {
  name: "own-sdk",
  setup(build) {
    const url = ownSdkUrl();
    build.onResolve({ filter: ownSdk }, ({ kind }) => ({
      // `require` takes paths, `import` takes URLs: a drive letter would be read as a scheme.
      path: kind === "require-call" ? fileURLToPath(url) : url,
      external: true,
    }));
  },
};

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

/** Returns a sentence for each thing that esbuild cannot read; one for all of k6's modules. */
function describeFailure({ errors }: BuildFailure, folder: string): TestProblem[] {
  const isOfK6 = (message: Message): boolean => isK6Module(unresolvedName(message) ?? "");
  const describe = (message: Message): TestProblem => describeMessage(message, folder);
  const others = errors.filter((message) => !isOfK6(message)).map(describe);
  const [first] = errors.filter(isOfK6).map(describe);
  return first === undefined ? others : [{ ...first, message: k6Problem }, ...others];
}

function describeMessage(error: Message, folder: string): TestProblem {
  const { location } = error;
  const message = explainMessage(error);
  if (location === null) return { path: "", message };
  const { file, line, column } = location;
  return {
    path: "",
    message,
    position: { file: displayPath(resolve(folder, file)), line, column: column + 1 },
  };
}

/** How esbuild writes the first byte of a byte order mark. PowerShell writes UTF-16. */
const utf16Mark = /^Unexpected "\\x(?:ff|fe)"/;

function explainMessage(error: Message): string {
  const { text, notes, location } = error;
  if (location?.line === 1 && location.column === 0 && utf16Mark.test(text))
    return "This is UTF-16. Save it as UTF-8.";
  const name = unresolvedName(error);
  const file = unloadableFile(error);
  const hints = notes.map((note) => note.text);
  if (name !== undefined) return `Cannot find "${name}": ${explainUnresolved(name, hints)}`;
  return file === undefined ? text : `Cannot import "${file}" as code: ${explainUnloadable(file)}`;
}

/** Explains how a test reads a file that is not code: the end of a sentence. */
function explainUnloadable(file: string): string {
  const asText = `add with { type: "text" } to the import to get its text.`;
  return /\.csv$/i.test(file) ? `use a feed, csv(${JSON.stringify(file)}), or ${asText}` : asText;
}

/** Explains how to fix an import that cannot be found: the end of a sentence. */
function explainUnresolved(name: string, notes: readonly string[]): string {
  if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(name)) return "there is no such file.";
  const unexported = notes.find((note) => note.includes("not exported by package"));
  if (unexported !== undefined) return `${unexported.replace(/:$/, "")}.`;
  if (name.startsWith("#")) return 'add it to "imports" in package.json.';
  if (/^(?:bun|deno|jsr):/.test(name)) return "Node has no such module.";
  if (/^(?:https?|data|npm):/.test(name)) return "install the package, and import it by name.";
  const [scope = "", rest] = name.split("/");
  const isPackage = /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/i;
  const packageName = scope.startsWith("@") && rest !== undefined ? `${scope}/${rest}` : scope;
  const install = isPackage.test(packageName) ? `Run "npm install ${packageName}", or check` : "Check";
  return `there is no such package. ${install} "paths" in tsconfig.json.`;
}
