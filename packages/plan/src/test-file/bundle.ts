import { createHash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { InvalidInput } from "@bearhug/sdk";
import { InvalidTest, type TestProblem } from "@bearhug/sdk/internal";
import { findAround } from "@bearhug/text/folders-around";
import type { BuildFailure, BuildOptions, Message, Plugin } from "esbuild";

import { leaveOutside, nothingOutside, outsidePlugin, unresolvedName } from "./bundle-outside.ts";
import { placeModules, type PlacedModules } from "./bundle-places.ts";
import { isK6Module, k6Problem } from "./k6-script.ts";
import { makeRunFolder } from "./run-folders.ts";
import { shownPath } from "./source-lines.ts";

/** A test file made into one module that workers can load. */
export interface Bundle {
  readonly path: string;
  /** The folder of the test itself. */
  readonly folder: string;
  /** Its code, or that of a package in it, may call `fetch` or use undici. */
  readonly mayFetch: boolean;
  /** It may have a `setup`, a `teardown` or a `summary`. */
  readonly mayHaveStages: boolean;
  /** The same for the same code, wherever it lies. */
  readonly fingerprint: string;
  remove(): void;
}

/** This package and the SDK: whatever a test has installed beside it, it runs with the SDK of the command line. */
const ownSdk = /^(@bearhug\/sdk|bearhug)$/;

/**
 * Bundles a test with its local imports and npm packages; the SDK stays outside and is the command line's own.
 * @throws {InvalidInput} with one sentence for each thing that esbuild cannot read, or where there is no room for the bundle
 */
export async function bundleTest(file: string): Promise<Bundle> {
  const entry = resolve(file);
  return bundleNear(entry, { entryPoints: [entry] });
}

/**
 * Bundles a test that is in no file, as if it lay there.
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
 * Bundles a script with its local imports; npm packages stay outside, where its project has them.
 * @throws {InvalidInput} with one sentence for each thing that esbuild cannot read, or where there is no room for the bundle
 */
export async function bundleScript(file: string): Promise<Bundle> {
  const entry = resolve(file);
  return bundleNear(entry, { entryPoints: [entry], packages: "external" });
}

/**
 * Bundles a file that only the run chose, into the folder of the bundle that chose it. Modules that both have are two.
 * @throws {InvalidInput} with one sentence for each thing that esbuild cannot read
 */
export async function bundleLate(file: string, folder: string): Promise<string> {
  const path = join(folder, `${nameOf(file)}-${randomUUID()}.mjs`);
  try {
    await build(dirname(file), { entryPoints: [file] }, path);
  } catch (error) {
    // The coordinator gets no positions of a running test: the sentences have them.
    throw error instanceof InvalidTest ? new InvalidInput(error.problems, { cause: error }) : error;
  }
  return path;
}

type Input = Pick<BuildOptions, "entryPoints" | "stdin" | "packages">;

async function bundleNear(entry: string, input: Input): Promise<Bundle> {
  // Near the test, where packages that stay outside are found and a debugger maps back.
  const folder = await makeRunFolder(findAround(dirname(entry), "node_modules"));
  const path = join(folder, `${nameOf(entry)}.mjs`);
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  let placed: PlacedModules;
  try {
    placed = await build(dirname(entry), input, path);
  } catch (error) {
    remove();
    throw error;
  }
  const code = await readFile(path, "utf8");
  // A file that only the run chooses may have whatever a test has.
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
 * Builds until nothing is left that only a package asks for, or that the run may never choose. Most tests need one build.
 */
async function build(folder: string, input: Input, path: string): Promise<PlacedModules> {
  // Not needed for the test of an address.
  const esbuild = await import("#esbuild");
  let outside = nothingOutside;
  const unreadable = new Set<string>();
  let areChosenLate = false;
  for (;;) {
    const placed = placeModules((file) => !areChosenLate && !unreadable.has(file));
    try {
      await esbuild.build({
        // esbuild takes the folder in which it was loaded: a program may have changed it since. Names in the bundle start there.
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
        // A file that cannot be read says so when it is chosen. So does one that imports such a file, and which one is not known.
        const found = error.errors.map(({ location }) => resolve(folder, location?.file ?? ""));
        const chosen = found.filter((file) => placed.choices.has(file));
        for (const file of chosen) unreadable.add(file);
        areChosenLate = chosen.length === 0;
      }
      outside = more;
    }
  }
}

function nameOf(file: string): string {
  return basename(file).replace(/\.[^.]+$/, "");
}

/** Not for `sec-fetch-mode` and such: every capture has these. */
const wordOfFetch = /(?<![\w-])(?:fetch|dispatcher|undici)(?![\w-])/;
const wordOfStages = /(?<![\w-])(?:setup|teardown|summary)(?![\w-])/;

/** Comments, and the paths that modules know of themselves, differ between checkouts of the same code. */
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

/** The address from which bundles import the SDK. */
export function ownSdkUrl(): string {
  return import.meta.resolve("@bearhug/sdk");
}

const ownSdkPlugin: Plugin = {
  name: "own-sdk",
  setup(build) {
    const url = ownSdkUrl();
    build.onResolve({ filter: ownSdk }, ({ kind }) => ({
      // `require` takes paths, `import` takes addresses: a drive letter would be taken for a scheme.
      path: kind === "require-call" ? fileURLToPath(url) : url,
      external: true,
    }));
  },
};

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

/** A sentence for each thing that esbuild cannot read; one for all of k6's modules. */
function describeFailure({ errors }: BuildFailure, folder: string): TestProblem[] {
  const isOfK6 = (message: Message): boolean => isK6Module(unresolvedName(message) ?? "");
  const describe = (message: Message): TestProblem => describeMessage(message, folder);
  const others = errors.filter((message) => !isOfK6(message)).map(describe);
  const [first] = errors.filter(isOfK6).map(describe);
  return first === undefined ? others : [{ ...first, message: k6Problem }, ...others];
}

function describeMessage(error: Message, folder: string): TestProblem {
  const { text, location, notes } = error;
  const name = unresolvedName(error);
  const hints = notes.map((note) => note.text);
  const said = name === undefined ? text : `Cannot find "${name}": ${explainUnresolved(name, hints)}`;
  if (location === null) return { path: "", message: said };
  const { file, line, column } = location;
  return {
    path: "",
    message: said,
    position: { file: shownPath(resolve(folder, file)), line, column: column + 1 },
  };
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
