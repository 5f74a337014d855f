/** Who may import whom: the rooms of packages/cli/src, and the walls between the folders of http/ and of har-import. */

const http = "^packages/cli/src/http/";
const harImport = "^packages/har-import/src/";

/**
 * For each folder of packages/cli/src/http, the folders of http that it may import from: those below it.
 * @type {Record<string, string[]>}
 */
const httpFolders = {
  // The interface of a transport, and what crosses it: requests, bodies, events.
  transport: [],
  // The ways a request can fail, with code and message.
  failures: [],
  // The response that a test sees: headers, bodies decoded when they are read.
  response: [],
  // The metrics of requests, and what one request adds to them.
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
  // How many connections there may be, which protocol each speaks, who gets the next one.
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
  // Decides which entries to keep, and why the others are left out.
  select: ["secrets"],
  // Finds redirect chains, pages, steps, waves (which requests waited for which), think time, names.
  structure: ["select", "secrets"],
  // Makes the request to send, split into atoms that still have the recorded values.
  request: ["secrets"],
  // Extracts values from earlier responses, and generates again what the browser generated.
  correlate: ["request", "secrets"],
  // Takes the secrets out of the model: values become variables, names and texts are masked.
  protect: ["request", "secrets"],
  // Turns requests of one shape into rows of data; gives what is created names that differ.
  parameterize: ["secrets"],
  // Writes the model as TypeScript; all text from a capture becomes literals.
  source: ["secrets"],
  // Presents the model to people: the explanation, the waterfall.
  show: ["secrets"],
  // Streams the capture without its secrets.
  redact: ["read", "secrets"],
};

/** Files at the root of packages/har-import/src that its folders share: all but those that know the order. */
const harImportWords = `${harImport}(?!(import-capture|index)\\.ts)[^/]+\\.ts$`;

/**
 * Rules for the folders of a room: each imports from folders below it, and from files that all of them share.
 * @param {string} room
 * @param {string} root
 * @param {Record<string, string[]>} folders
 * @param {string} shared
 * @returns {import("dependency-cruiser").IForbiddenRuleType[]}
 */
const rulesOf = (room, root, folders, shared) => [
  ...Object.entries(folders).map(([folder, from]) => ({
    name: `${room}-${folder}-imports`,
    comment: `Of ${room}'s folders, ${folder} may import from: ${from.join(", ") || "none"}.`,
    severity: /** @type {const} */ ("error"),
    from: { path: `${root}${folder}/` },
    to: { path: root, pathNot: [`${root}(${[folder, ...from].join("|")})/`, shared] },
  })),
  {
    name: `${room}-folder-unknown`,
    comment: `Write the new folder into the table of ${room}'s folders in .dependency-cruiser.folders.js.`,
    severity: "error",
    from: { path: `${root}[^/]+/`, pathNot: `${root}(${Object.keys(folders).join("|")})/` },
    to: {},
  },
];

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
export const folderRules = [
  ...rulesOf("http", http, httpFolders, `${http}http-environment\\.ts$`),
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

/**
 * For each folder of packages/cli/src, the folders that it may import from (besides itself);
 * after `types`, those of which it may know the types alone.
 * @type {Record<string, { from: string[], types?: string[] }>}
 */
export const rooms = {
  commands: {
    from: [
      "cluster/wire",
      "cluster/agent",
      "cluster/coordinate",
      "cluster/job",
      "run",
      "trials",
      "test-set",
      "tracing",
      "live-page",
      "reporter-thread",
      "sinks",
      "ndjson",
      "clients",
      "outcome",
      "comparison",
      "worker",
      "protocol",
      "reporters",
      "format",
      "test-file",
      "health",
      "executors",
      "pacing",
      "recording",
      "mock",
      "demo",
      "local-server",
      "file-output",
      "capture-file",
      "project",
      "browser",
      "kubernetes",
      "cluster",
      "monitors",
    ],
    types: ["metrics", "thresholds"],
  },
  "cluster/wire": { from: ["recording", "pacing"] },
  "cluster/agent": {
    from: ["cluster/wire", "cluster/job", "run", "recording", "outcome", "pacing"],
  },
  "cluster/coordinate": {
    from: ["cluster/wire", "cluster/job", "recording", "outcome", "pacing"],
    types: ["run"],
  },
  "cluster/job": { from: ["run", "test-file", "format"], types: ["protocol", "metrics"] },
  run: {
    from: [
      "clients",
      "executors",
      "outcome",
      "protocol",
      "thresholds",
      "metrics",
      "recording",
      "worker",
      "test-file",
      "reporter-thread",
      "reporters",
      "health",
      "pacing",
      "monitors",
      "sinks",
      "ndjson",
    ],
  },
  trials: { from: ["run", "outcome", "metrics", "format"], types: ["test-file"] },
  "test-set": {
    from: ["run", "clients", "test-file", "executors", "pacing", "format", "reporters"],
    types: ["protocol"],
  },
  tracing: { from: ["clients", "format", "reporters"] },
  outcome: {
    from: [
      "clients",
      "executors",
      "protocol",
      "thresholds",
      "comparison",
      "metrics",
      "health",
      "pacing",
      "format",
    ],
    types: ["monitors"],
  },
  worker: {
    from: [
      "clients",
      "feeds",
      "protocol",
      "executors",
      "http",
      "net",
      "metrics",
      "health",
      "pacing",
      "test-file",
    ],
  },
  feeds: { from: ["protocol", "pacing", "test-file"] },
  executors: { from: ["pacing", "format"] },
  clients: { from: ["protocol"], types: ["metrics", "pacing"] },
  http: { from: ["clients", "net", "pacing", "metrics", "protocol"] },
  net: { from: ["pacing"] },
  "test-file": {
    from: ["clients", "executors", "protocol", "pacing", "metrics", "format", "monitors"],
    types: ["thresholds"],
  },
  protocol: { from: [], types: ["clients", "metrics", "health", "pacing", "test-file"] },
  recording: {
    from: ["executors"],
    types: ["clients", "outcome", "pacing", "protocol", "metrics", "monitors"],
  },
  thresholds: { from: ["metrics"] },
  health: { from: ["executors", "pacing", "metrics"], types: ["protocol"] },
  comparison: { from: ["metrics", "format"] },
  metrics: { from: [] },
  pacing: { from: [] },
  monitors: { from: ["health", "pacing", "format"] },
  ndjson: { from: ["protocol", "pacing", "file-output"] },
  "reporter-thread": { from: ["protocol", "test-file", "pacing", "sinks"] },
  sinks: { from: ["pacing", "format", "metrics"] },
  reporters: { from: ["format", "file-output", "metrics"] },
  "live-page": { from: ["reporters", "local-server"] },
  "report-page": { from: ["format"], types: ["reporters"] },
  "file-output": { from: [] },
  format: { from: [] },
  mock: { from: ["local-server"] },
  demo: { from: ["local-server"] },
  "local-server": { from: [] },
  "capture-file": { from: [] },
  project: { from: [] },
  kubernetes: { from: [] },
  browser: { from: ["protocol", "test-file"] },
};
