import { folderRules } from "./dependency-cruiser-folders.js";

/**
 * Import rules that a package's `dependencies` and `exports` cannot express. ARCHITECTURE.md describes each
 * folder; add a new one to tools/dependency-cruiser-folders.js first.
 */

const cli = "^packages/cli/src/";
const mcp = "^packages/mcp/src/";
const engine = "^packages/engine/src/";
const http = "^packages/http/src/";
const metrics = "^packages/metrics/src/";
const plan = "^packages/plan/src/";
const report = "^packages/report/src/";
const text = "^packages/text/src/";
/** The packages that are bundled into the command. */
const bundledPackages = "text|metrics|plan|http|engine|report";

/** The only files that may import each external package or Node module. */
const doors = {
  "tough-cookie": [`${http}session/cookie-rules\\.ts$`],
  aws4: [`${http}authentication/sign-aws\\.ts$`],
  undici: [`${http}(fetch|undici)/`],
  tinyglobby: [`${cli}test-set/find-test-files\\.ts$`],
  tldts: ["^packages/sdk/src/http/registrable-domain\\.ts$"],
  htmlparser2: ["^packages/sdk/src/extract/"],
  prettier: ["^packages/har-import/src/source/format-source\\.ts$"],
  esbuild: [`${plan}test-file/bundle[^/]*\\.ts$`],
  "@fastify/busboy": [`${cli}demo/fields\\.ts$`],
  acorn: [`${plan}test-file/test-syntax\\.ts$`],
  "csv-stringify": [`${report}csv\\.ts$`],
  "csv-parse": [`${plan}feeds/parse-csv\\.ts$`],
  commander: [`${cli}main\\.ts$`, `${cli}commands/`],
  "jsonc-parser": [
    `${cli}project/json-file\\.ts$`,
    `${plan}feeds/parse-json\\.ts$`,
    "^packages/har-import/src/secrets/json-scalars\\.ts$",
  ],
  "html-encoding-sniffer": [`${http}response/decode-body\\.ts$`],
  "log-update": [`${report}terminal/live/`],
  "get-east-asian-width": [`${text}display-width\\.ts$`],
  zod: [
    "^packages/sdk/src/",
    `${text}describe-issue\\.ts$`,
    "^packages/vscode/src/test-list\\.ts$",
    `${mcp}server\\.ts$`,
  ],
  "@modelcontextprotocol/server": [`${mcp}(server|serve)\\.ts$`],
  minisearch: [`${mcp}search-docs\\.ts$`],
  ws: [`${cli}cluster/wire/`],
  uplot: [`${report}report-page/`],
  vitest: [`${cli}vitest\\.ts$`],
  vscode: ["^packages/vscode/src/(editor/|extension\\.ts$)"],
  yaml: [`${cli}kubernetes/print-run\\.ts$`],
  yauzl: [`${cli}capture-file/open-archive\\.ts$`],
  "playwright-core": [`${cli}browser/`],
  "node:worker_threads": [
    `${cli}reporter-thread/`,
    `${engine}(worker|monitors)/`,
    `${engine}run/thread-pool\\.ts$`,
    `${report}ndjson/`,
    `${plan}protocol/thread-boot\\.ts$`,
  ],
};

/**
 * The modules of text that the SDK and the HAR importer bundle, each for itself: they keep no state, use nothing
 * of Node, and nobody asks which copy an object of theirs comes from.
 */
const sharedTexts = `${text}(secrets/|(cap-text|capitalized|closest-name|describe-issue|describe-value|detached-text|display-width|duration|http-url|identifier|number|printable|request-name|respell-units|text-reader|try-json)\\.ts$)`;

/** The SDK's entry points, for authors of tests and for bearhug's own packages. */
const sdkDoors = "^packages/sdk/src/(index|result|internal)\\.ts$";

const timerModules = "^(node:)?timers(/promises)?$";
/** Folders whose code runs during a load. */
const duringLoad = [metrics, http, `${plan}(executors|pacing|protocol|test-file)/`, engine];
const packageSource = "^packages/[^/]+/src/";

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const doorRules = Object.entries(doors).map(([name, files]) => ({
  name: `door-${name.replace(/[^a-z]+/g, "-")}`,
  comment: `${name} has one door: ${files.join(", ")}. Ask there for what you need.`,
  severity: "error",
  from: { path: packageSource, pathNot: files },
  to: name.startsWith("node:")
    ? { path: `^(node:)?${name.slice("node:".length)}$`, dependencyTypes: ["core"] }
    : { path: `(^|/node_modules/)(@types/)?${name}(/|$)` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...folderRules,
    ...doorRules,
    {
      name: "main-imports",
      comment: "main only reads the command line; each command is imported on demand.",
      severity: "error",
      from: { path: `${cli}main\\.ts$` },
      to: { path: cli, pathNot: [`${cli}commands/`] },
    },
    {
      name: "main-imports-commands-lazily",
      comment: '`--help` must not wait for the engine to load: await import("./commands/…").',
      severity: "error",
      from: { path: `${cli}main\\.ts$` },
      to: { path: `${cli}commands/`, dependencyTypesNot: ["dynamic-import", "type-only"] },
    },
    {
      name: "nobody-imports-main",
      comment: "main and index are where others come in, not a place to keep things.",
      severity: "error",
      from: { path: "^packages/cli/(src|test)/", pathNot: "^packages/cli/test/" },
      to: { path: `${cli}(main|index)\\.ts$` },
    },
    {
      name: "coordinator-never-reaches-users-code",
      comment: "The coordinator must always be able to stop, judge and report: not even through others.",
      severity: "error",
      from: { path: `${engine}(outcome|run)/` },
      to: { path: [`${engine}worker/`, http, `${plan}test-file/load-definition\\.ts$`], reachable: true },
    },
    {
      name: "reports-see-results-alone",
      comment:
        "A report is a function of the result document, so that it can be made again from a saved one. Reports that are sent during a run also need the clock.",
      severity: "error",
      from: { path: report },
      to: { path: plan, pathNot: [`${plan}pacing/clock\\.ts$`, `${plan}protocol/shared-samples\\.ts$`] },
    },
    {
      name: "sdk-imports-nothing",
      comment:
        "A test author's types pull in no engine and no Node: zod, htmlparser2, tldts, shared texts and its own files only.",
      severity: "error",
      from: { path: "^packages/sdk/src/" },
      to: {
        pathNot: ["^packages/sdk/src/", sharedTexts, "(^|/)node_modules/(zod|htmlparser2|tldts)(/|$)"],
      },
    },
    {
      name: "har-import-is-pure",
      comment:
        "Bytes in, page groups out: no I/O, nothing of the engine; of bearhug only the SDK and shared texts.",
      severity: "error",
      from: { path: "^packages/har-import/src/" },
      to: { path: "^packages/", pathNot: ["^packages/har-import/", sdkDoors, sharedTexts] },
    },
    {
      name: "pure-packages-use-no-node-modules-of-node",
      comment: "The SDK and the HAR importer run anywhere JavaScript does.",
      severity: "error",
      from: { path: "^packages/(sdk|har-import)/src/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "shared-texts-stay-shared",
      comment:
        "The SDK and the HAR importer bundle these modules, so they import nothing that those may not.",
      severity: "error",
      from: { path: sharedTexts },
      to: { pathNot: [sharedTexts, "(^|/)node_modules/(get-east-asian-width|zod)(/|$)"] },
    },
    {
      name: "vscode-runs-bearhug-as-a-program",
      comment:
        "The extension has no run time of its own: of bearhug's packages, it knows the SDK's types, and it validates what the command prints.",
      severity: "error",
      from: { path: "^packages/vscode/src/" },
      to: {
        path: ["^packages/", "(^|/)node_modules/"],
        pathNot: ["^packages/vscode/", "/node_modules/(@types/(vscode|node)|zod)/"],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "har-import-where-captures-are-read",
      comment: "Only what reads a capture knows of captures.",
      severity: "error",
      from: { path: cli, pathNot: `${cli}(commands|mock|capture-file)/` },
      to: { path: "^packages/har-import/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "packages-by-their-name",
      comment:
        "Another package is imported by its name, which gives what its `exports` say. Tests may look into another package, but for the published ones.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: {
        path: "^packages/[^/]+/",
        pathNot: [
          "^packages/$1/",
          "^packages/[^/]+/src/index\\.ts$",
          sdkDoors,
          "package\\.json$",
          `^packages/(${bundledPackages})/`,
          "^packages/cli/test/",
        ],
      },
    },
    {
      name: "packages-by-their-name",
      comment: "Sources import another package by its name, which gives what its `exports` say.",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/" },
      to: { path: `^packages/(${bundledPackages})/`, pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    {
      name: "sdk-doors-stay-apart",
      comment:
        "index.ts is for authors of tests, internal.ts for bearhug's own packages; the SDK uses neither itself.",
      severity: "error",
      from: { path: "^packages/sdk/src/" },
      to: { path: sdkDoors },
    },
    {
      name: "timers-in-pacing-clock",
      comment: "Time is an input of the engine: timers come from pacing/clock.",
      severity: "error",
      from: { path: duringLoad, pathNot: `${plan}pacing/clock\\.ts$` },
      to: { path: timerModules, dependencyTypes: ["core"] },
    },
    {
      name: "source-never-imports-tests",
      severity: "error",
      from: { path: packageSource },
      to: { path: ["^packages/[^/]+/test/", "^(examples|bench|tools)/"] },
    },
    {
      name: "examples-use-what-users-have",
      comment: "An example shows what a reader can write: the SDK's and the command's public names.",
      severity: "error",
      from: { path: "^examples/" },
      to: { path: "^packages/", pathNot: "^packages/((sdk|cli)/src/index|cli/src/vitest)\\.ts$" },
    },
    {
      name: "action-imports-nothing",
      comment: "The action runs from a checkout of the repository, where nothing is installed or built.",
      severity: "error",
      from: { path: "^action/" },
      to: { pathNot: "^action/", dependencyTypesNot: ["core"] },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-unresolvable",
      comment: "The file or package is not there.",
      severity: "error",
      // Only the launcher may import files of the build.
      from: { pathNot: "^packages/cli/bin/" },
      to: { couldNotResolve: true },
    },
    {
      name: "published-code-uses-dependencies",
      comment:
        "What a package imports at run time stands in its own `dependencies`, or has a door: the build bundles it.",
      severity: "error",
      from: { path: packageSource },
      // A package that the repository's tools also use has both types, "npm-dev" and "npm".
      to: {
        // VS Code provides the module `vscode`.
        pathNot: `/node_modules/(${Object.keys(doors).join("|")}|@types/vscode)/|^packages/(${bundledPackages})/`,
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["type-only", "npm"],
      },
    },
  ],
  options: {
    doNotFollow: { path: "(^|/)node_modules/" },
    exclude: {
      path: "^packages/[^/]+/(dist/|examples/|test/.*golden/|test/peers/applications/[^/]+/(?!flow))",
    },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["bearhug-source", "types", "import", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".d.ts", ".json"],
      mainFields: ["module", "main", "types"],
    },
  },
};
