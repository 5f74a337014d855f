/** The program that runs bearhug, and its folder. */
export interface Launch {
  readonly node: string;
  /** Path of `bearhug.js`. */
  readonly program: string;
  /** The working folder. */
  readonly folder: string;
}

/**
 * A configuration for VS Code's built-in Node debugger, like those that `bearhug init` writes to launch.json.
 */
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
  /** Identifies this session. */
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
    // A test's bundle is in a cache below node_modules, where debuggers ignore source maps by default.
    skipFiles: ["<node_internals>/**", "**/node_modules/**", "!**/node_modules/.cache/bearhug/**"],
    outFiles: [`${folder.replaceAll("\\", "/")}/**/node_modules/.cache/bearhug/**/*.{js,mjs}`],
    resolveSourceMapLocations: null,
    // The default wait for a test's source map is one second, which can be too short on a busy machine.
    timeouts: { sourceMapMinPause: 10_000, sourceMapCumulativePause: 30_000 },
    bearhugRun: run,
  };
}
