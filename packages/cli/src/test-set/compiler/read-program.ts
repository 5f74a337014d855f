import type { CheckedProgram, SourceText, SyntaxKinds, TypeChecker } from "./syntax.ts";

/** A checked program. */
export interface Compiled {
  readonly program: CheckedProgram;
  /** The problems as `tsc` prints them; null if only `tsc` itself can. */
  readonly output: string | null;
  readonly close: () => void;
}

/** The parts of TypeScript's JavaScript compiler (up to version 6) that are used here. */
export interface Compiler {
  readonly SyntaxKind: SyntaxKinds;
  readonly sys: { getCurrentDirectory(): string };
  getParsedCommandLineOfConfigFile(path: string, options: object, host: object): ParsedConfig | undefined;
  createProgram(of: object): CompilerProgram;
  sortAndDeduplicateDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[];
  formatDiagnostics(diagnostics: readonly Diagnostic[], host: object): string;
}

interface ParsedConfig {
  readonly fileNames: readonly string[];
  readonly options: object;
  readonly errors: readonly Diagnostic[];
}

interface Diagnostic {
  readonly code: number;
}

interface CompilerProgram {
  getSourceFiles(): readonly SourceText[];
  getTypeChecker(): TypeChecker;
  getConfigFileParsingDiagnostics(): readonly Diagnostic[];
  getOptionsDiagnostics(): readonly Diagnostic[];
  getSyntacticDiagnostics(): readonly Diagnostic[];
  getGlobalDiagnostics(): readonly Diagnostic[];
  getSemanticDiagnostics(): readonly Diagnostic[];
}

/** Checks a project like `tsc`, but with the compiler as a library, which gives access to types. */
export function readWithCompiler(compiler: Compiler, config: string): Compiled {
  const { sys } = compiler;
  const fatal: Diagnostic[] = [];
  const host = { ...sys, onUnRecoverableConfigFileDiagnostic: (one: Diagnostic) => void fatal.push(one) };
  const parsed = compiler.getParsedCommandLineOfConfigFile(config, {}, host);
  const { fileNames = [], options = {}, errors = [] } = parsed ?? {};
  const program = compiler.createProgram({
    rootNames: fileNames,
    options,
    configFileParsingDiagnostics: errors,
  });
  const diagnostics = compiler.sortAndDeduplicateDiagnostics([...fatal, ...diagnosticsOf(program)]);
  const output = compiler.formatDiagnostics(diagnostics, {
    getCurrentDirectory: () => sys.getCurrentDirectory(),
    getNewLine: () => "\n",
    getCanonicalFileName: (name: string) => name,
  });
  const checked = {
    kinds: compiler.SyntaxKind,
    checker: program.getTypeChecker(),
    files: program.getSourceFiles(),
  };
  return { program: checked, output, close: () => undefined };
}

/** Returns the same problems as `tsc`, which reports no type errors if there are syntax errors. */
function diagnosticsOf(program: CompilerProgram): readonly Diagnostic[] {
  const first = [...program.getConfigFileParsingDiagnostics(), ...program.getSyntacticDiagnostics()];
  if (program.getSyntacticDiagnostics().length > 0) return first;
  const optionProblems = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  return [...first, ...optionProblems, ...program.getSemanticDiagnostics()];
}

/** The parts of the API of TypeScript 7 that are used here. */
interface NativeModule {
  readonly API: new () => {
    updateSnapshot(of: { readonly openProjects: readonly string[] }): {
      getProjects(): readonly NativeProject[];
    };
    close(): void;
  };
}

interface NativeProject {
  readonly checker: TypeChecker;
  readonly program: {
    getSourceFileNames(): readonly string[];
    getSourceFile(name: string): SourceText | undefined;
  };
}

/** Reads a project with the API of TypeScript 7, whose compiler is a separate program. */
export async function readNative(
  load: (module: string) => Promise<unknown>,
  config: string,
): Promise<Compiled | null> {
  const { API } = (await load("unstable/sync")) as NativeModule;
  const { SyntaxKind } = (await load("unstable/ast")) as { readonly SyntaxKind: SyntaxKinds };
  const api = new API();
  const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
  if (project === undefined) return null;
  const { checker, program } = project;
  const own = program.getSourceFileNames().filter((name) => !/\/node_modules\/|\.d\.[cm]?ts$/.test(name));
  const files = own.flatMap((name) => program.getSourceFile(name) ?? []);
  const close = (): void => api.close();
  return { program: { kinds: SyntaxKind, checker, files }, output: null, close };
}
