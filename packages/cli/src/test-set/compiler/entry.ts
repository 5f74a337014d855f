import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { findFloatingPromises, type FloatingPromise } from "./floating-promises.ts";
import { readNative, readWithCompiler, type Compiled, type Compiler } from "./read-program.ts";

/** This program's only argument, as JSON. */
export interface CompileRequest {
  /** The folder of the project's TypeScript. */
  readonly typescript: string;
  /** The `tsconfig.json` of the check. */
  readonly config: string;
  /** Absolute paths of the tests. */
  readonly tests: readonly string[];
}

/** The message that this program sends to its parent. */
export interface CompileResult {
  /** The output of `tsc`; null if this version of TypeScript has no API for it. */
  readonly output: string | null;
  readonly floating: readonly FloatingPromise[];
}

const [, , argument = "{}"] = process.argv;
const { typescript, config, tests } = JSON.parse(argument) as CompileRequest;
const compiled = await read();
// TypeScript uses slashes in paths on every system.
const paths = new Set(tests.map((path) => path.replaceAll("\\", "/")));
const answer: CompileResult = {
  output: compiled?.output ?? null,
  floating: compiled === null ? [] : findFloatingPromises(compiled.program, paths),
};
process.send?.(answer, () => {
  compiled?.close();
  process.disconnect();
});

/**
 * Reads the project. TypeScript 7 has no compiler in JavaScript, only an API that is marked unstable; returns
 * null if that is missing.
 */
async function read(): Promise<Compiled | null> {
  const require = createRequire(join(typescript, "package.json"));
  const library = join(typescript, "lib", "typescript.js");
  if (existsSync(library)) return readWithCompiler(require(library) as Compiler, config);
  // A package can import itself by name.
  const load = (name: string): Promise<unknown> =>
    import(pathToFileURL(require.resolve(`typescript/${name}`)).href);
  try {
    return await readNative(load, config);
  } catch {
    return null;
  }
}
