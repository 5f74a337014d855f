/** Options of other bearhug commands, with a hint for users of this one. */
interface Elsewhere {
  readonly flags: readonly string[];
  readonly hint: string;
}

const capacityOnly: Elsewhere = {
  flags: ["--slo", "--at-least", "--budget", "--min-rate", "--max-rate", "--precision", "--search"],
  hint: "It is an option of bearhug capacity.",
};

const sweepOnly: Elsewhere = {
  flags: ["--settle", "--measure", "--resume", "--from", "--to", "--add", "--double"],
  hint: "It is an option of bearhug sweep.",
};

const live: Elsewhere = {
  flags: ["--ui"],
  hint: "The live page shows a single run: bearhug run or bearhug <url>. The terminal shows each step, and --out html=FILE writes a report.",
};

const listens: Elsewhere = {
  flags: ["--port", "--host"],
  hint: "Write --listen PORT, or --listen HOST:PORT.",
};

const elsewhere: Readonly<Record<string, readonly Elsewhere[]>> = {
  demo: [listens],
  mock: [listens],
  monitor: [listens],
  coordinate: [listens],
  agent: [
    {
      flags: ["--fingerprint"],
      hint: "It is no longer needed: the agent recognizes its coordinator by the token.",
    },
  ],
  run: [capacityOnly, sweepOnly, { flags: ["--max-vus"], hint: "Set the most virtual users with --vus." }],
  bench: [capacityOnly, sweepOnly, { flags: ["--max-vus"], hint: "Set the most virtual users with -c." }],
  capacity: [
    {
      flags: ["--rate"],
      hint: "A search finds the rate itself. Set its bounds with --min-rate and --max-rate.",
    },
    {
      flags: ["-c", "--connections", "--vus", "--max-active-requests"],
      hint: "A search finds the load itself: a rate, or virtual users with --search vus. Set its bounds with --min-rate and --max-rate.",
    },
    { flags: ["--arrivals"], hint: "A search always uses Poisson arrivals." },
    {
      flags: ["-d", "--duration", "-n", "--requests", "--iterations", "--measure"],
      hint: "Set the time of the whole search with --budget.",
    },
    { flags: ["--from"], hint: "Set the lowest load with --min-rate." },
    { flags: ["--to"], hint: "Set the highest load with --max-rate." },
    { flags: ["--settle", "--resume", "--add", "--double"], hint: sweepOnly.hint },
    live,
  ],
  sweep: [
    { flags: ["-d", "--duration"], hint: "Set how long each load is measured with --measure." },
    {
      flags: ["-n", "--requests", "--iterations"],
      hint: "A sweep measures each load for a time. Set it with --measure.",
    },
    { flags: ["--max-active-requests"], hint: "List the loads with --connections." },
    { flags: ["--min-rate", "--max-rate"], hint: "List the rates with --rate: --rate 100,200,400." },
    { flags: ["--overload"], hint: "It is an option of bearhug capacity, bearhug run and bearhug <url>." },
    { flags: ["--slo", "--at-least", "--budget", "--precision", "--search"], hint: capacityOnly.hint },
    live,
  ],
};

const switches = ["--double", "--ui"];

/**
 * Returns a hint for an option of another bearhug command, and `takesNext` if its value follows; null for any
 * other option.
 */
export function explainOwnFlag(
  command: string,
  text: string,
): { readonly hint: string; readonly takesNext: boolean } | null {
  const isLetter = /^-\w/.test(text);
  const name = isLetter ? text.slice(0, 2) : text.replace(/=.*$/s, "");
  const found = elsewhere[command]?.find(({ flags }) => flags.includes(name));
  return found === undefined
    ? null
    : { hint: found.hint, takesNext: text === name && !switches.includes(name) };
}
