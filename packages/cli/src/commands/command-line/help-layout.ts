import type { Command, Option } from "commander";

/** The topics of options, in the order of the help text. */
const topics = [
  "Load",
  "The search",
  "Pods and agents",
  "Target and variables",
  "The request",
  "Limits",
  "Pass or fail",
  "Output",
  "HTTP client",
  "Which tests",
  "The server's load",
  "Several machines",
  "Compare variants",
  "This machine",
] as const;

export type Topic = (typeof topics)[number];

/** Shorter lists of options are not split by topic. */
const minOptionsForTopics = 20;

/** Example command lines, printed below the options. */
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

/** Groups a command's options by topic if there are many, and adds the examples. */
export function layOutHelp(command: Command): Command {
  const isLong = command.options.filter(({ hidden }) => !hidden).length >= minOptionsForTopics;
  if (!isLong) for (const option of command.options) option.helpGroup("Options:");
  command.configureHelp({ ...command.configureHelp(), groupItems });
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

/**
 * Lays out the list of commands. `group` is the first word of the commands to list alone, such as k8s; null
 * for all.
 */
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

/** Groups items by topic, in the order of `topics`; items without one of these come last. */
function groupItems<T extends Command | Option>(
  _all: T[],
  visible: T[],
  titleOf: (item: T) => string,
): Map<string, T[]> {
  const titles = new Set([...topics.map((topic) => `${topic}:`), ...visible.map(titleOf)]);
  const groups = [...titles].map((title): [string, T[]] => [
    title,
    visible.filter((item) => titleOf(item) === title),
  ]);
  return new Map(groups.filter(([, items]) => items.length > 0));
}

/**
 * Hides options that the command always rejects from its help. If one is given, the user still gets the
 * reason.
 */
export function hideRejected(command: Command, names: readonly string[]): Command {
  for (const name of names) {
    const option = command.options.find(({ long }) => long === name);
    if (option === undefined) throw new TypeError(`${command.name()} has no option ${name}`);
    option.hideHelp();
  }
  return command;
}
