/**
 * Defines which folders of a package may import from which. The imports of packages are in their
 * package.json.
 */

const harImport = "^packages/har-import/src/";

/**
 * For each folder of packages/http/src, the folders that it may import from: those below it.
 * @type {Record<string, string[]>}
 */
const httpFolders = {
  // Opens sockets: DNS, TCP, proxies, TLS.
  net: [],
  // The interface of a transport, and what crosses it: requests, bodies, events.
  transport: [],
  // The ways a request can fail, with code and message.
  failures: [],
  // The response that a test receives: headers, and bodies that are decoded on demand.
  response: [],
  // The phases and the metrics of requests, and what one request adds to them.
  samples: [],
  // Answers challenges (digest), signs requests (AWS).
  authentication: ["transport"],
  // Turns a test's request into bytes: addresses, headers, bodies, limits, redirects.
  request: ["transport", "authentication"],
  // Header compression for HTTP/2 (RFC 7541), one codec for each connection.
  hpack: [],
  // HTTP/1.1 on a socket, with a strict parser.
  http1: ["transport", "failures"],
  // HTTP/2 on a socket: frames, streams, flow control.
  http2: ["transport", "failures", "request", "hpack"],
  // Requests on a socket with undici's client, for `transport: "undici"`.
  undici: ["transport", "failures", "request", "http2"],
  // The number of connections, their protocols, and the queue for them.
  pool: ["transport", "http1", "http2", "undici"],
  // One request, from the wait for a connection to the recorded sample.
  exchange: ["transport", "failures", "response", "samples", "request", "pool"],
  // The cookies, the cache and the redirects of one virtual user.
  session: ["failures", "authentication", "request", "response", "pool", "exchange"],
  // The engine as a `Dispatcher` of undici's, and `http.fetch` over it.
  fetch: ["transport", "failures", "request", "response", "exchange", "session"],
};

/**
 * For each folder of packages/har-import/src, the folders that it may import from: those below it.
 * @type {Record<string, string[]>}
 */
const harImportFolders = {
  // Turns bytes into entries, one at a time; an entry that it cannot read becomes a finding.
  read: [],
  // Finds and masks secrets in texts; knows no requests.
  secrets: [],
  // Decides which entries to keep, and why others are left out.
  select: ["secrets"],
  // Finds redirect chains, pages, steps, waves (which requests waited for which), think time, names.
  structure: ["select", "secrets"],
  // Makes the request to send, split into atoms that still have the recorded values.
  request: ["secrets"],
  // Extracts values from earlier responses, and generates again what the browser generated.
  correlate: ["request", "secrets"],
  // Takes the secrets out of the model: values become variables, names and texts are masked.
  protect: ["request", "secrets"],
  // Turns similar requests into rows of data, and makes names of created things unique.
  parameterize: ["secrets"],
  // Writes the model as TypeScript; all text from a capture becomes literals.
  source: ["secrets"],
  // Presents the model to people: the explanation, the waterfall.
  show: ["secrets"],
  // Streams the capture without its secrets.
  redact: ["read", "secrets"],
};

/**
 * Files at the root of packages/har-import/src that its folders share: all except those that define the order
 * of steps.
 */
const harImportWords = `${harImport}(?!(import-capture|index)\\.ts)[^/]+\\.ts$`;

/**
 * Rules for the folders of a package: each imports from folders below it, and from files that all of them share.
 * @param {string} parent
 * @param {string} root
 * @param {Record<string, string[]>} folders
 * @param {string} shared
 * @returns {import("dependency-cruiser").IForbiddenRuleType[]}
 */
const rulesOf = (parent, root, folders, shared) => [
  ...Object.entries(folders).map(([folder, from]) => ({
    name: `${parent}-${folder}-imports`,
    comment: `Of ${parent}'s folders, ${folder} may import from: ${from.join(", ") || "none"}.`,
    severity: /** @type {const} */ ("error"),
    from: { path: `${root}${folder}/` },
    to: { path: root, pathNot: [`${root}(${[folder, ...from].join("|")})/`, shared] },
  })),
  {
    name: `${parent}-folder-unknown`,
    comment: `Write the new folder into the table of ${parent}'s folders in tools/dependency-cruiser-folders.js.`,
    severity: "error",
    from: { path: `${root}[^/]+/`, pathNot: `${root}(${Object.keys(folders).join("|")})/` },
    to: {},
  },
];

/**
 * For each folder of packages/plan/src, the folders that it may import from.
 * @type {Record<string, string[]>}
 */
const planFolders = {
  // The schemas of options in general, and the rules that names follow.
  validation: [],
  // Reads the options of HTTP: in tests, scenarios, requests and flags.
  "http-options": ["validation"],
  // Validates the definition of a test as a whole.
  definition: ["validation", "http-options", "executors"],
  // The clock, schedules, each worker's stripe of the work, random numbers.
  pacing: [],
  // All that crosses threads: messages, and shared memory.
  protocol: ["clients", "definition", "executors", "http-options", "pacing", "test-file"],
  // The interface between virtual users and protocols.
  clients: ["definition", "executors", "http-options", "protocol", "pacing"],
  // A file for each load model: its options, and how it runs.
  executors: ["validation", "http-options", "pacing"],
  // The sources that can be monitored during a run, and their options.
  monitors: ["validation", "pacing"],
  // Bundles and loads a test, reads options, makes the plan.
  "test-file": [
    "validation",
    "http-options",
    "definition",
    "clients",
    "executors",
    "protocol",
    "pacing",
    "monitors",
  ],
  // Rows of data for tests.
  feeds: ["definition", "protocol", "pacing", "test-file"],
};

/**
 * For each folder of packages/engine/src, the folders that it may import from.
 * @type {Record<string, string[]>}
 */
const engineFolders = {
  // Determines whether the load generator itself was too slow.
  health: [],
  // Reads servers and processes under load.
  monitors: ["health"],
  // Merges snapshots, judges the run, composes the result.
  outcome: ["health", "monitors"],
  // Writes and reads recordings.
  recording: ["outcome"],
  // Virtual users, iterations, pages and groups.
  worker: ["health"],
  // The coordinator: the order of a run, and all that starts, watches and stops threads.
  run: ["outcome", "recording", "health", "monitors"],
  // Runs at several loads, for sweep and capacity.
  trials: ["run", "outcome"],
};

/**
 * For each folder of packages/report/src, the folders that it may import from.
 * @type {Record<string, string[]>}
 */
const reportFolders = {
  // The contents of a result: rows, units, sentences.
  model: [],
  // Writes files whole or not at all.
  "file-output": [],
  "local-server": [],
  terminal: ["model", "comparison", "hdr"],
  markdown: ["model", "comparison"],
  html: ["model"],
  junit: ["model"],
  hdr: ["model"],
  github: ["model", "markdown", "junit", "comparison"],
  comparison: ["model", "html", "terminal", "markdown"],
  // The program of the HTML report, which runs in a browser.
  "report-page": ["html", "model"],
  "live-page": ["html", "local-server", "model"],
  // Reports that are sent during a run.
  sinks: ["local-server"],
  ndjson: ["file-output"],
};

/**
 * For each folder of packages/cli/src, the folders that it may import from.
 * @type {Record<string, string[]>}
 */
const cliFolders = {
  "cluster/wire": [],
  "cluster/job": ["run"],
  "cluster/agent": ["cluster/wire", "cluster/job", "run"],
  "cluster/coordinate": ["cluster/wire", "cluster/job", "run"],
  "reporter-thread": [],
  run: ["reporter-thread"],
  // The documents of --json.
  documents: [],
  "test-set": ["run", "documents"],
  tracing: ["documents"],
  mock: [],
  demo: [],
  "capture-file": [],
  project: [],
  kubernetes: [],
  browser: [],
  commands: [
    "cluster/wire",
    "cluster/job",
    "cluster/agent",
    "cluster/coordinate",
    "reporter-thread",
    "run",
    "documents",
    "test-set",
    "tracing",
    "mock",
    "demo",
    "capture-file",
    "project",
    "kubernetes",
    "browser",
  ],
};

/**
 * For each folder of packages/cli/src/commands, the folders that it may import from. Files beside them are
 * for all commands.
 * @type {Record<string, string[]>}
 */
const commandFolders = {
  // Reads flags, variables and the project's configuration, explains mistakes, lays out help.
  "command-line": [],
  // The output of a run: reports, comparisons with earlier results, messages for GitHub, recordings.
  report: [],
  write: ["command-line"],
  run: ["command-line", "report", "write"],
  bench: ["command-line", "run"],
  compare: ["command-line", "report", "run"],
  trials: ["command-line", "report", "run", "bench"],
  cluster: ["command-line", "report", "run"],
  k8s: ["command-line", "report", "write"],
  import: ["run", "bench"],
  start: ["report", "bench", "import"],
};

/** @param {string} name */
const sourcesOf = (name) => `^packages/${name}/src/`;
/** Files at the root of a package's sources, which its folders share. @param {string} name */
const rootFilesOf = (name) => `${sourcesOf(name)}[^/]+\\.ts$`;

const commandsRoot = `${sourcesOf("cli")}commands/`;

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
export const folderRules = [
  ...rulesOf("http", sourcesOf("http"), httpFolders, `${sourcesOf("http")}(http-environment\\.ts$|net/)`),
  ...rulesOf("plan", sourcesOf("plan"), planFolders, rootFilesOf("plan")),
  ...rulesOf("engine", sourcesOf("engine"), engineFolders, rootFilesOf("engine")),
  ...rulesOf("report", sourcesOf("report"), reportFolders, rootFilesOf("report")),
  ...rulesOf("cli", sourcesOf("cli"), cliFolders, "^$"),
  ...rulesOf("commands", commandsRoot, commandFolders, `${commandsRoot}[^/]+\\.ts$`),
  ...rulesOf("har-import", harImport, harImportFolders, harImportWords),
  {
    name: "har-import-words-know-no-folder",
    comment:
      "Files at the root of har-import are shared by its folders. Only import-capture and index use the folders.",
    severity: "error",
    from: { path: harImportWords },
    to: { path: harImport, pathNot: harImportWords },
  },
];
