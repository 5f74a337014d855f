/** A group of pages in the sidebar: the pages below docs/, without `.md`, by their titles. */
export interface PageGroup {
  readonly title: string;
  readonly pages: Readonly<Record<string, string>>;
}

/** Pages for contributors: on the site, but not in its sidebar. CONTRIBUTING.md links to them. */
export const contributorPages: readonly string[] = ["decisions"];

/** Every other page of docs/, in the order in which somebody new would read them. */
export const navigation: readonly PageGroup[] = [
  {
    title: "Start",
    pages: { tutorial: "Tutorial", "how-do-i": "How do I …?", init: "Set up a project" },
  },
  {
    title: "Write tests",
    pages: {
      scenarios: "Scenarios",
      http: "Requests",
      executors: "Executors",
      thresholds: "Thresholds",
      data: "Data from files",
      secrets: "Secrets",
      record: "Record a visit",
      "har-import": "Captures (HAR)",
      clients: "Your own client",
      "check-and-try": "Checking and trying a test",
      "several-tests": "Several tests",
      debugging: "Debugging",
      vscode: "VS Code",
    },
  },
  {
    title: "Run tests",
    pages: {
      reports: "Reports",
      "live-metrics": "Live metrics",
      library: "From your own code",
      "coding-agents": "For coding agents",
      agents: "On several machines",
      shards: "Shards",
      monitors: "The server's side",
      scale: "From one core to a cluster",
      kubernetes: "In Kubernetes",
      ci: "In CI",
    },
  },
  {
    title: "Answer questions",
    pages: {
      capacity: "How much can it take?",
      sweep: "When does it get slower?",
      overload: "How does it behave in overload?",
      variants: "Which variant is faster?",
      compare: "Did it get slower?",
    },
  },
  {
    title: "Reference",
    pages: {
      cli: "Command line",
      "test-reference": "Tests",
      "result-reference": "Result document",
      metrics: "Metrics",
      "exit-codes": "Exit codes",
      errors: "Errors",
      stability: "Stability",
      glossary: "Glossary",
    },
  },
  {
    title: "Cookbook",
    pages: {
      "cookbook/index": "Recipes",
      "cookbook/cached-blog": "A blog behind a cache",
      "cookbook/forty-eight-shards": "A blog under 48 generators",
      "cookbook/compression": "Six copies of a home page",
      "cookbook/http2-capacity": "A backend's capacity",
      "cookbook/log-in-once": "Members who log in once",
    },
  },
  {
    title: "Coming from",
    pages: {
      k6: "k6",
      artillery: "Artillery",
      "locust-jmeter-gatling": "Locust, JMeter, Gatling",
      "coming-from": "wrk, ab and others",
    },
  },
  {
    title: "Trust",
    pages: {
      accuracy: "Accuracy",
      performance: "Performance",
    },
  },
];
