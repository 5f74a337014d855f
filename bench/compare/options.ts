import { parseArgs } from "node:util";

/** The choice of measurements, and how to measure. */
export interface BenchOptions {
  readonly rounds: number;
  /** The time limit; null for none. */
  readonly minutes: number | null;
  /** The length of each run's measurement, without its warm-up. */
  readonly windowS: number;

  readonly cases: readonly string[];
  readonly tools: readonly string[];
  readonly clientCore: number;
  readonly serverCore: number;
  readonly out: string;
  /** Saved results to write the page from, without measuring; null to measure. */
  readonly from: string | null;
  readonly isWritingDocs: boolean;
  readonly isListing: boolean;
}

export interface Selectable {
  readonly cases: readonly string[];
  readonly tools: readonly string[];
  readonly cores: number;
}

const declared = {
  rounds: { type: "string", default: "5" },
  minutes: { type: "string" },
  seconds: { type: "string", default: "2.5" },
  case: { type: "string", multiple: true, default: [] as string[] },
  tool: { type: "string", multiple: true, default: [] as string[] },
  "client-core": { type: "string" },
  "server-core": { type: "string", default: "0" },
  out: { type: "string", default: "bench/results.json" },
  from: { type: "string" },
  docs: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
} as const;

/** Reads the options of the command line. Returns a sentence for each problem. */
export function readOptions(
  written: readonly string[],
  known: Selectable,
): { readonly options: BenchOptions; readonly problems: readonly string[] } {
  const { values } = parseArgs({ args: [...written], options: declared });
  const problems: string[] = [];
  const core: Rule = {
    isMet: (value) => Number.isInteger(value) && value >= 0 && value < known.cores,
    text: `a core of this machine, 0 to ${known.cores - 1}`,
  };
  const number = (option: string, text: string, rule: Rule): number =>
    readNumber(option, text, rule, problems);
  const { minutes } = values;
  const options: BenchOptions = {
    rounds: number("rounds", values.rounds, wholeAboveZero),
    minutes: minutes === undefined ? null : number("minutes", minutes, aboveZero),
    windowS: number("seconds", values.seconds, atLeastOne),
    cases: readNames("case", values.case, known.cases, problems),
    tools: readNames("tool", values.tool, known.tools, problems),
    clientCore: number("client-core", values["client-core"] ?? String(known.cores - 1), core),
    serverCore: number("server-core", values["server-core"], core),
    out: values.out,
    from: values.from ?? null,
    isWritingDocs: values.docs,
    isListing: values.list,
  };
  if (options.clientCore === options.serverCore) {
    problems.push(
      `--client-core ${options.clientCore}: is the server's core, too, so each would slow the other down. Choose another.`,
    );
  }
  return { options, problems };
}

interface Rule {
  readonly isMet: (value: number) => boolean;
  readonly text: string;
}

const wholeAboveZero: Rule = {
  isMet: (value) => Number.isInteger(value) && value > 0,
  text: "a whole number above 0",
};
const aboveZero: Rule = { isMet: (value) => value > 0, text: "above 0" };
const atLeastOne: Rule = { isMet: (value) => value >= 1, text: "at least 1" };

function readNumber(option: string, text: string, rule: Rule, problems: string[]): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!rule.isMet(value)) problems.push(`--${option} ${text}: must be ${rule.text}.`);
  return value;
}

function readNames(
  option: string,
  lists: readonly string[],
  known: readonly string[],
  problems: string[],
): string[] {
  const names = lists.flatMap((list) => list.split(","));
  for (const name of names.filter((each) => !known.includes(each))) {
    problems.push(`--${option} ${name}: there is no such ${option}. Choose from ${known.join(", ")}.`);
  }
  return names;
}
