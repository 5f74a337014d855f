import { isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";

import type { TestProblem } from "@bearhug/plan/definition/invalid-test";
import { constantsOf, textPatterns, textPlaceholder } from "@bearhug/plan/test-file/constant-texts";
import { importsPackage, packageAt, displayPath, SourceLines } from "@bearhug/plan/test-file/source-lines";
import { nodesIn, positionOf, textOf, type AnyNode, type Program } from "@bearhug/plan/test-file/test-syntax";
import type { SourcePosition } from "@bearhug/sdk/result";

import { isFile } from "./named-files.ts";
import { embeddedSources } from "./portable-map.ts";

/** The files and packages that modules of a bundle resolve relative to their own location. */
export interface PlacedLoads {
  /** Files near the modules, which can be sent. */
  readonly files: readonly string[];
  /** Problems with files and packages that cannot be sent to agents. */
  readonly problems: readonly TestProblem[];
}

/**
 * Finds files and packages that modules resolve as they run. `hasSent` is true if the user names files to
 * send, which may be the ones that the test chooses.
 */
export function findPlacedLoads(
  program: Program,
  bundlePath: string,
  { hasSent }: { readonly hasSent: boolean },
): PlacedLoads {
  const files = new Set<string>();
  const problems: TestProblem[] = nativeImports(bundlePath);
  const lines = new SourceLines(bundlePath);
  const loaders = loadersIn(program);
  const constants = loaders.size === 0 ? new Map<string, AnyNode>() : constantsOf(program);
  for (const node of nodesIn(program)) {
    if (node.type !== "CallExpression") continue;
    const loader = node.callee.type === "Identifier" ? loaders.get(node.callee.name) : undefined;
    const [argument] = node.arguments;
    const at = loader === undefined ? null : positionOf(node);
    const position = at && lines.locate(at)?.source;
    if (loader === undefined || argument === undefined || !position) continue;
    const place = resolve(position.file);
    const name = textOf(argument);
    const file = name !== null && /^\.{0,2}\//.test(name) ? resolve(dirname(place), name) : null;
    if (file !== null && loader === "address" && isFile(file)) files.add(file);
    if (packageAt(place) !== null) continue;
    const message =
      loader === "address" ? addressProblem(name) : chosenProblem(textPatterns(argument, constants), hasSent);
    if (message !== null) problems.push({ path: "", message, position });
  }
  return { files: [...files], problems };
}

/**
 * Returns the bundler's replacements for `import`, `require` and address resolution, by function name. Each
 * is at the end of its module: `return ….importFrom("/its/path", name, …)`.
 */
function loadersIn(program: Program): Map<string, "module" | "address"> {
  const loaders = new Map<string, "module" | "address">();
  for (const node of nodesIn(program)) {
    if (node.type !== "FunctionDeclaration" || node.id === null) continue;
    const { name } = node.id;
    const [statement] = node.body.body;
    const call = statement?.type === "ReturnStatement" ? statement.argument : null;
    const callee = call?.type === "CallExpression" ? call.callee : null;
    const method = callee?.type === "MemberExpression" ? callee.property : null;
    if (method?.type !== "Identifier") continue;
    if (/^bearhugResolve(?:Import)?\d*$/.test(name)) loaders.set(name, "address");
    else if (method.name === "importFrom" || method.name === "requireFrom") loaders.set(name, "module");
  }
  return loaders;
}

/**
 * Matches a module that loads native code, or that Node loads from its original file because it locates such
 * code by path.
 */
const native =
  /\.node["'`]|["'](?:node-gyp-build|@mapbox\/node-pre-gyp)["']|^module\.exports = bearhugCreateRequire\(("[^"]*")\)\(\1\);/;

/**
 * Returns a problem for each import of a package with native code in the author's own files. Imports by other
 * packages are often optional, like that of `bufferutil` by `ws`.
 */
function nativeImports(bundlePath: string): TestProblem[] {
  const sources = [...embeddedSources(bundlePath)].map((source) => ({
    ...source,
    package: packageAt(source.path),
  }));
  const names = new Set(
    sources.flatMap((one) => (one.package !== null && native.test(one.text) ? one.package : [])),
  );
  return sources
    .filter((source) => source.package === null)
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        const name = [...names].find((one) => importsPackage(line, one));
        return name === undefined
          ? []
          : [nativeProblem(name, { file: displayPath(path), line: index + 1, column: 1 })];
      }),
    );
}

function nativeProblem(name: string, position: SourcePosition): TestProblem {
  const message = `The package ${name} has native code, which is built for one kind of machine, so it cannot be sent to others. Do without it, or run the test on this machine.`;
  return { path: "", message, position };
}

/** Returns a problem if the address of a package is resolved: agents do not have the project's packages. */
function addressProblem(name: string | null): string | null {
  if (name === null || /^(?:\.{0,2}\/|[a-z]+:)/.test(name) || isBuiltin(name)) return null;
  return `"${name}" is a file of this machine, so its address cannot be sent to other machines. Import it, or name the file by its path.`;
}

function chosenProblem(patterns: readonly string[], hasSent: boolean): string | null {
  const isSent = patterns.every((text) => /^(?:\.{0,2}\/|file:)/.test(text) || isBuiltin(text));
  if (isSent || hasSent) return null;
  const name = patterns.find((text) => !text.includes(textPlaceholder));
  return name === undefined
    ? "The test chooses this module as it runs, so it cannot be sent to other machines. Write the folder into its name, as in import(`./stages/${stage}.ts`), or name the file with --send."
    : `The package ${name} is chosen as the test runs, so it cannot be sent to other machines. Import it by a text.`;
}
