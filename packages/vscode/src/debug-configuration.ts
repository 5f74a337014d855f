/** The program that starts bearhug, and where. */
export interface Launch {
  readonly node: string;
  /** Path of `bearhug.js`. */
  readonly program: string;
  /** The folder that it runs in. */
  readonly folder: string;
}

/** A configuration of VS Code's own debugger for Node, like those that `bearhug init` writes to launch.json. */
export interface DebugConfiguration {
  readonly type: "node";
  readonly request: "launch";
  readonly name: string;
  readonly runtimeExecutable: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly console: "internalConsole";
  readonly outputCapture: "std";
  readonly skipFiles: readonly string[];
  readonly outFiles: readonly string[];
  readonly resolveSourceMapLocations: null;
  readonly timeouts: { readonly sourceMapMinPause: number; readonly sourceMapCumulativePause: number };
  /** Tells this session from others. */
  readonly bearhugRun: string;
}

export function configureDebugger(
  { node, program, folder }: Launch,
  { name, args, run }: { readonly name: string; readonly args: readonly string[]; readonly run: string },
): DebugConfiguration {
  return {
    type: "node",
    request: "launch",
    name,
    runtimeExecutable: node,
    program,
    args,
    cwd: folder,
    console: "internalConsole",
    outputCapture: "std",
    // The bundle of a test is in a cache below node_modules, where a debugger looks for no source maps otherwise.
    skipFiles: ["<node_internals>/**", "**/node_modules/**", "!**/node_modules/.cache/bearhug/**"],
    outFiles: [`${folder.replaceAll("\\", "/")}/**/node_modules/.cache/bearhug/**/*.{js,mjs}`],
    resolveSourceMapLocations: null,
    // On a busy machine, the second that a debugger takes by default for a test's source map can be too short.
    timeouts: { sourceMapMinPause: 10_000, sourceMapCumulativePause: 30_000 },
    bearhugRun: run,
  };
}
