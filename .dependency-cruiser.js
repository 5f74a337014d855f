import { folderRules, rooms } from "./.dependency-cruiser.folders.js";

/**
 * Who may import whom. This file and `rooms` are the only place that says so; ARCHITECTURE.md says what each folder is for.
 * A folder of packages/cli/src that is not in `rooms` may import nothing: a new room is written down here first.
 */

const cli = "^packages/cli/src/";

/** Words of the whole program, at the root of packages/cli/src, that every folder may use. */
const everyones = `${cli}(body-kind|describe-value|exit-codes|folders-around|foreign-text|given-secrets|invalid-input|masked-text|secret-mask|seen-secrets|version)\\.ts$`;

/** The only files that may import each package from outside, or module of Node's. */
const doors = {
  "tough-cookie": [`${cli}http/session/cookie-rules\\.ts$`],
  aws4: [`${cli}http/authentication/sign-aws\\.ts$`],
  undici: [`${cli}http/(fetch|undici)/`],
  tinyglobby: [`${cli}test-set/find-test-files\\.ts$`],
  tldts: ["^packages/sdk/src/http/registrable-domain\\.ts$"],
  htmlparser2: ["^packages/sdk/src/extract/"],
  prettier: ["^packages/har-import/src/source/format-source\\.ts$"],
  "hdr-histogram-js": [`${cli}metrics/histogram[^/]*\\.ts$`],
  esbuild: [`${cli}test-file/bundle[^/]*\\.ts$`],
  "@fastify/busboy": [`${cli}demo/read-multipart\\.ts$`],
  acorn: [`${cli}test-file/test-syntax\\.ts$`],
  "csv-stringify": [`${cli}reporters/csv\\.ts$`],
  "csv-parse": [`${cli}feeds/parse-csv\\.ts$`],
  commander: [`${cli}main\\.ts$`, `${cli}commands/`],
  "jsonc-parser": [
    `${cli}project/json-file\\.ts$`,
    `${cli}feeds/parse-json\\.ts$`,
    "^packages/har-import/src/secrets/json-scalars\\.ts$",
  ],
  "html-encoding-sniffer": [`${cli}http/response/decode-body\\.ts$`],
  "log-update": [`${cli}reporters/terminal/live/`],
  "get-east-asian-width": ["^packages/sdk/src/text/"],
  zod: ["^packages/sdk/src/", "^packages/vscode/src/test-list\\.ts$"],
  ws: [`${cli}cluster/wire/`],
  uplot: [`${cli}report-page/`],
  vitest: [`${cli}vitest\\.ts$`],
  vscode: ["^packages/vscode/src/(editor/|extension\\.ts$)"],
  yaml: [`${cli}kubernetes/print-run\\.ts$`],
  yauzl: [`${cli}capture-file/open-archive\\.ts$`],
  "playwright-core": [`${cli}browser/`],
  "node:worker_threads": [
    `${cli}(worker|reporter-thread|ndjson|monitors)/`,
    `${cli}run/thread-pool\\.ts$`,
    `${cli}protocol/thread-boot\\.ts$`,
  ],
};

/** What the SDK gives to authors of tests, and to bearhug's own packages. */
const sdkDoors = "^packages/sdk/src/(index|internal)\\.ts$";

const timerModules = "^(node:)?timers(/promises)?$";
/** The coordinator: all of run/ but what starts a run, and opens the reports that it tells. */
const coordinator = `${cli}run/(?!run-in-process|run-test|launcher-for|open-outputs|read-flags)`;
const engine = [
  `${cli}(comparison|outcome|executors|health|http|metrics|net|pacing|protocol|thresholds|worker)/`,
  coordinator,
];
const packageSource = "^packages/[^/]+/src/";

/** @param {string[]} folders */
const inside = (folders) => `${cli}(${folders.join("|")})/`;

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
const roomRules = Object.entries(rooms).flatMap(([room, { from, types = [] }]) => [
  {
    name: `${room}-imports`,
    comment: `${room} may import from: ${[...from, ...types.map((name) => `${name} (types)`)].join(", ") || "nothing"}.`,
    severity: "error",
    from: { path: inside([room]) },
    to: { path: cli, pathNot: [inside([room, ...from, ...types]), everyones] },
  },
  ...(types.length === 0
    ? []
    : [
        /** @type {import("dependency-cruiser").IRegularForbiddenRuleType} */ ({
          name: `${room}-imports-types-only`,
          comment: `Of ${types.join(", ")}, ${room} may import types alone (import type).`,
          severity: "error",
          from: { path: inside([room]) },
          to: { path: inside(types), dependencyTypesNot: ["type-only"] },
        }),
      ]),
]);

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
    ...roomRules,
    ...folderRules,
    ...doorRules,
    {
      name: "room-unknown",
      comment:
        "Write the new folder into `rooms` in .dependency-cruiser.folders.js, and into ARCHITECTURE.md.",
      severity: "error",
      from: { path: `${cli}[^/]+/`, pathNot: inside(Object.keys(rooms)) },
      to: {},
    },
    {
      name: "main-imports",
      comment: "main only reads the command line; each command is imported when it is asked for.",
      severity: "error",
      from: { path: `${cli}main\\.ts$` },
      to: { path: cli, pathNot: [inside(["commands", "format"]), everyones] },
    },
    {
      name: "main-imports-commands-lazily",
      comment: '`--help` must not wait for the engine to load: await import("./commands/…").',
      severity: "error",
      from: { path: `${cli}main\\.ts$` },
      to: { path: inside(["commands"]), dependencyTypesNot: ["dynamic-import", "type-only"] },
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
      from: { path: [inside(["outcome"]), coordinator] },
      to: {
        path: [inside(["worker", "http", "net"]), `${cli}test-file/load-definition\\.ts$`],
        reachable: true,
      },
    },
    {
      name: "engine-never-shows",
      comment: "The engine tells through the protocol; showing is for commands and reporters.",
      severity: "error",
      from: { path: engine },
      to: { path: inside(["reporters", "commands"]) },
    },
    {
      name: "reporters-see-results-alone",
      comment:
        "A report is a function of the result document, so that it can be made again from a saved one.",
      severity: "error",
      from: { path: inside(["reporters", "format", "file-output"]) },
      to: {
        path: "^packages/",
        pathNot: [inside(["reporters", "format", "file-output", "metrics"]), everyones, "^packages/sdk/"],
      },
    },
    {
      name: "sdk-imports-nothing",
      comment:
        "A test author's types pull in no engine and no Node: zod, htmlparser2, tldts, get-east-asian-width and its own files only.",
      severity: "error",
      from: { path: "^packages/sdk/src/" },
      to: {
        pathNot: [
          "^packages/sdk/src/",
          "(^|/)node_modules/(zod|htmlparser2|tldts|get-east-asian-width)(/|$)",
        ],
      },
    },
    {
      name: "har-import-is-pure",
      comment: "Bytes in, page groups out: no I/O, nothing of the engine; of bearhug only the SDK.",
      severity: "error",
      from: { path: "^packages/har-import/src/" },
      to: { path: "^packages/", pathNot: ["^packages/har-import/", sdkDoors] },
    },
    {
      name: "pure-packages-use-no-node-modules-of-node",
      comment: "The SDK and the HAR importer run anywhere JavaScript does.",
      severity: "error",
      from: { path: "^packages/(sdk|har-import)/src/" },
      to: { dependencyTypes: ["core"] },
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
      from: { path: cli, pathNot: inside(["commands", "mock", "capture-file"]) },
      to: { path: "^packages/har-import/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "packages-by-their-front-door",
      comment:
        "Another package is imported by its name, and gives what its index.ts gives; the SDK internal.ts, too.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: {
        path: "^packages/[^/]+/",
        pathNot: ["^packages/$1/", "^packages/[^/]+/src/index\\.ts$", sdkDoors, "package\\.json$"],
      },
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
      from: { path: engine, pathNot: `${cli}(pacing/clock|http/exchange)\\.ts$` },
      to: { path: timerModules, dependencyTypes: ["core"] },
    },
    {
      name: "source-never-imports-tests",
      severity: "error",
      from: { path: packageSource },
      to: { path: ["^packages/[^/]+/test/", "^(examples|bench|scripts)/"] },
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
      // The launcher starts what the build makes; nothing else may depend on a build.
      from: { pathNot: "^packages/cli/bin/" },
      to: { couldNotResolve: true },
    },
    {
      name: "published-code-uses-dependencies",
      comment:
        "What a package imports at run time stands in its own `dependencies`, or has a door: the build bundles it.",
      severity: "error",
      from: { path: packageSource },
      // What the tools of the repository use, too, is "npm-dev" and "npm" at once.
      to: {
        // The editor has the module `vscode`.
        pathNot: `/node_modules/(${Object.keys(doors).join("|")}|@types/vscode)/`,
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["type-only", "npm"],
      },
    },
  ],
  options: {
    doNotFollow: { path: "(^|/)node_modules/" },
    exclude: { path: "^packages/[^/]+/(dist/|test/.*golden/|test/peers/applications/[^/]+/(?!flow))" },
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
