import { loadFlags } from "@bearhug/plan/test-file/run-options";
import { reportsOfResults } from "@bearhug/report/index";
import { Command, Option } from "commander";

import { addOptions, repeatableOption } from "../options.ts";
import { readCapacity, type CapacityFlags, type CapacityRequest } from "./capacity-request.ts";
import { hideRejected } from "../command-line/help-layout.ts";
import { addLoadOptions, envFromOption, envOption, flagOption } from "../load-options.ts";
import { addAction } from "../reading.ts";
import { addRequestOptions } from "../request-options.ts";

/**
 * Options that a search sets itself, or replaces by objectives. It rejects all but `--allow-saturated`, which
 * has no effect.
 */
const hiddenOptions = [
  "--warmup",
  "--latency",
  "--threshold",
  "--abort-on-fail",
  "--variant",
  "--turn",
  "--strict-generator",
  "--max-failed",
  "--expect-failures",
  "--allow-saturated",
];

export function createCommand(): Command {
  const command = new Command("capacity")
    .description("find the highest load that meets objectives")
    .argument("[url|test...]", "URLs to request, a test (.ts, .js) or a capture of a browser (.har)");
  addOptions(command, "The search", [
    repeatableOption(
      "--slo <metric: expression>",
      "an objective to meet: http_req_response_time: p(99)<200ms",
    ),
    new Option("--search <what>", "rate: iterations per second; vus: virtual users").default("rate"),
    new Option("--min-rate <rate>", "lowest load to try: 10, 10/s").default(undefined, "1"),
    new Option("--max-rate <rate>", "highest load to try: 5000, 5k/s").default(undefined, "100k"),
    new Option("--max-vus <n>", "most virtual users, and so connections, of a trial").default(
      undefined,
      "the test's maxVUs, else 10,000",
    ),
    new Option("--budget <time>", "longest time for the search").default("5m"),
    new Option("--precision <share>", "stop when the capacity is known to within ± this share").default(
      "2.5%",
    ),
    new Option("--at-least <rate>", "fail (exit code 99) if the capacity is lower: 500, 30k/m"),
  ])
    .addOption(
      flagOption({
        ...loadFlags.overload,
        help: "then exceed the capacity by this factor, and return to it: 1.5",
      }),
    )
    .addOption(flagOption(loadFlags.target))
    .addOption(flagOption({ ...loadFlags.scenario, help: "run only this scenario" }))
    .addOption(envOption())
    .addOption(envFromOption());
  addLoadOptions(addRequestOptions(command), {
    reports: `${reportsOfResults}, or a file with your own`,
  });
  return addAction(hideRejected(command, hiddenOptions), readCapacity, capacity);
}

async function capacity(request: CapacityRequest, flags: CapacityFlags): Promise<void> {
  const { searchAndReport } = await import("./search-and-report.ts");
  await searchAndReport(request, flags);
}
