import type { Command, Option } from "commander";

import { monitorKinds } from "../monitors/monitor-kinds.ts";

/** Options of commands that apply load, by their topics, in the order in which help shows both. */
const optionGroups: Readonly<Record<string, readonly string[]>> = {
  Load: [
    "connections",
    "vus",
    "duration",
    "requests",
    "iterations",
    "rate",
    "max-active-requests",
    "arrivals",
    "from",
    "to",
    "double",
    "add",
    "settle",
    "measure",
    "pages-per-second",
    "scenario",
    "warmup",
    "overload",
    "max-data",
    "seed",
    "resume",
  ],
  "The search": ["slo", "search", "min-rate", "max-rate", "budget", "precision", "at-least"],
  "Pods and agents": [
    "parallelism",
    "image",
    "in-image",
    "name",
    "cpu",
    "memory",
    "pull-secret",
    "node-selector",
    "context",
    "namespace",
    "print",
    "print-secret",
    "agents",
    "listen",
    "token-file",
    "tls-cert",
    "tls-key",
    "join-timeout",
    "orphan-timeout",
    "send",
  ],
  "Target and variables": ["base", "new", "target", "env", "env-from", "config", "urls"],
  "The request": ["method", "header", "body", "body-file", "body-size", "user", "compressed"],
  "Pass or fail": [
    "threshold",
    "abort-on-fail",
    "expect",
    "max-failed",
    "expect-failures",
    "strict-generator",
    "allow-saturated",
    "baseline",
    "tolerance",
    "rate-tolerance",
    "run-noise",
    "fail-on",
    "allow",
  ],
  Output: ["out", "samples", "latency", "quiet", "ui", "problems", "tag"],
  "HTTP client": [
    "timeout",
    "protocol",
    "insecure",
    "ca",
    "cert",
    "key",
    "pass",
    "proxy",
    "no-proxy",
    "resolve",
    "unix-socket",
    "no-keep-alive",
    "max-requests-per-connection",
    "max-connection-age",
    "max-concurrent-streams",
    "discard-bodies",
    "transport",
    "traceparent",
  ],
  "Which tests": ["grep", "together"],
  "The server's load": Object.values(monitorKinds).map(({ flag }) => flag.replace("--", "")),
  "Several machines": ["shard", "start-at", "shard-setup", "allow-partial"],
  "Compare variants": ["variant", "turn"],
  "This machine": ["workers", "link"],
};

/** A list that is shorter needs no topics. */
const longList = 20;

/** Lines to copy, below the options. */
const examples: Readonly<Record<string, readonly string[]>> = {
  run: [
    "bearhug run load/shop.load.ts",
    'bearhug run load/shop.load.ts --vus 50 --duration 1m --threshold "http_req_duration: p(95)<300ms"',
  ],
  bench: [
    "bearhug http://127.0.0.1:8080/ -c 50 -d 10s",
    "bearhug http://127.0.0.1:8080/ --rate 500 -d 10m --out html=report.html",
  ],
  sweep: [
    "bearhug sweep http://127.0.0.1:8080/ --to 200",
    "bearhug sweep load/shop.load.ts --rate 100,200,400",
  ],
  capacity: ['bearhug capacity http://127.0.0.1:8080/ --slo "http_req_response_time: p(99)<200ms"'],
  "ab-test": ["bearhug ab-test load/shop.load.ts --base http://127.0.0.1:8080 --new http://127.0.0.1:8081"],
  compare: ["bearhug compare base.json new.json"],
  merge: ["bearhug merge part-*.bearhug -o result.json"],
  coordinate: ["bearhug coordinate load/shop.load.ts --agents 3 --listen 0.0.0.0:7654"],
  "k8s run": ["bearhug k8s run load/shop.load.ts --parallelism 48 --image registry.example/bearhug:0.1.0"],
  import: ["bearhug import shop.har -o load/shop.load.ts"],
  try: ["bearhug try load/shop.load.ts"],
};

/** Shows a command's options by topic if they are many, and examples below them. */
export function layOutHelp(command: Command): Command {
  const isLong = command.options.filter(({ hidden }) => !hidden).length >= longList;
  if (isLong) for (const option of command.options) assignGroup(option);
  command.configureHelp({ ...command.configureHelp(), ...(isLong ? { groupItems } : {}) });
  const lines = examples[command.name()] ?? [];
  return command.addHelpText(
    "after",
    lines
      .map((line) => `\n  ${line}`)
      .join("")
      .replace(/^\n/, "\nExamples:\n"),
  );
}

const usage = `<url> [options]          load a page:   bearhug http://127.0.0.1:8080/ -c 50 -d 10s
       bearhug <command> [options]      run a test:    bearhug run load/shop.load.ts`;

const footer = `
Options of <url>: -c connections, -d duration, -n requests, --rate per second,
  -H header; all of them: bearhug help bench
Exit codes: 0 passed, 99 failed, 104 invalid input; all of them: docs/exit-codes.md
Help for a command: bearhug help <command>`;

/** Shows the commands by what they are for; `group`: the first word of those that are asked for alone, such as k8s. */
export function layOutCommands(program: Command, group: string | null): Command {
  program
    .configureHelp({ subcommandTerm: (command) => (command.name() === "bench" ? "<url>" : command.name()) })
    .commandsGroup("Help:")
    .helpCommand("help [command]", "show the options of a command");
  if (group === null) return program.usage(usage).addHelpText("after", footer);
  return program
    .description("")
    .usage(`${group} <command> [options]`)
    .addHelpText("after", `\nHelp for a command: bearhug help ${group} run\nSee docs/kubernetes.md.`);
}

function assignGroup(option: Option): void {
  const [title] = Object.entries(optionGroups).find(([, names]) => names.includes(nameOf(option))) ?? [];
  if (title !== undefined) option.helpGroup(`${title}:`);
}

/** Without the leading dashes; `name()` of commander leaves out a leading `no-`. */
function nameOf({ long }: Option): string {
  return long?.replace(/^--/, "") ?? "";
}

/** The topics and their options in the table's order; what is in no topic comes last. */
function groupItems<T extends Command | Option>(
  _all: T[],
  visible: T[],
  titleOf: (item: T) => string,
): Map<string, T[]> {
  const titles = [...Object.keys(optionGroups).map((title) => `${title}:`), ...visible.map(titleOf)];
  const placed = [...new Set(titles)].map((title): [string, T[]] => {
    const order = optionGroups[title.slice(0, -1)] ?? [];
    const items = visible.filter((item) => titleOf(item) === title);
    return [title, items.toSorted((a, b) => placeOf(a, order) - placeOf(b, order))];
  });
  return new Map(placed.filter(([, items]) => items.length > 0));
}

function placeOf(item: Command | Option, order: readonly string[]): number {
  return "long" in item ? order.indexOf(nameOf(item)) : 0;
}

/** Leaves out of the help what the command refuses whatever its value; given, it is still answered with the reason. */
export function hideRefused(command: Command, names: readonly string[]): Command {
  for (const name of names) {
    const option = command.options.find(({ long }) => long === name);
    if (option === undefined) throw new TypeError(`${command.name()} has no option ${name}`);
    option.hideHelp();
  }
  return command;
}
