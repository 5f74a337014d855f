import { randomUUID } from "node:crypto";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";

import type { Interruptions } from "@bearhug/engine/run/interruptions";
import { loadModule } from "@bearhug/engine/run/load-test";
import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { createReporters } from "@bearhug/report/index";
import { createMultiplexer } from "@bearhug/report/multiplexer";
import { InvalidInput } from "@bearhug/sdk";
import { printable } from "@bearhug/text/printable";

import { Coordination } from "../../cluster/coordinate/coordination.ts";
import { ShardsWatch } from "../../cluster/coordinate/watch-shards.ts";
import { mergeParts } from "../../cluster/coordinate/merge-parts.ts";
import {
  folderName,
  removeOlderFolders,
  RunFolder,
  type KeptState,
} from "../../cluster/coordinate/run-folder.ts";
import { packJob, type PackedJob } from "../../cluster/job/pack-job.ts";
import { isPackedJob, openJob, writeJob } from "../../cluster/job/stored-job.ts";
import { listenForAgents, type ListenOptions } from "../../cluster/wire/listen.ts";
import { isLoopback } from "../../cluster/wire/loopback.ts";
import { makeToken } from "../../cluster/wire/token.ts";
import { observeFor } from "../../run/open-outputs.ts";
import { targetWarning } from "../remote-agents.ts";
import type { CoordinateFlags, CoordinateOptions } from "./coordinate-options.ts";
import { printResult } from "./log-payload.ts";
import { listenForSignals, type SignalListener } from "../stop-signals.ts";
import { openTerminal, type OpenTerminal } from "../open-terminal.ts";
import { keptMs, userRecordingFolder } from "../report/recordings.ts";
import { reportResult } from "../report/report-result.ts";
import { atTerminal } from "../run/run-and-report.ts";
import { openPage, type OpenPage } from "../report/show-page.ts";
import { Standings } from "./standings.ts";

/** Coordinates a run of several agents and reports its result; sets the exit code. */
export async function coordinateAndReport(
  file: string,
  flags: CoordinateFlags,
  options: CoordinateOptions,
): Promise<void> {
  const terminal = openTerminal(flags.quiet ? "none" : "everywhere", flags.out, {
    hasLatency: flags.latency,
  });
  const page = await openPage(flags.ui === true, file, terminal.warn);
  const signals = listenForSignals(terminal.warn);
  try {
    const hasResult = await coordinate({ file, flags, options, terminal, page, signals });
    signals.stopListening();
    if (hasResult && !signals.interruptions.isInterrupted) await page.keep();
  } finally {
    signals.stopListening();
    terminal.close();
    await page.close();
  }
}

interface Coordinated {
  readonly file: string;
  readonly flags: CoordinateFlags;
  readonly options: CoordinateOptions;
  readonly terminal: OpenTerminal;
  readonly page: OpenPage;
  readonly signals: SignalListener;
}

/** Returns true if there is a result. */
async function coordinate(given: Coordinated): Promise<boolean> {
  const { flags, options, terminal, page, signals } = given;
  const { warn } = terminal;
  const folder = new RunFolder(flags.resume ?? join(userRecordingFolder(), folderName(randomUUID())));
  void removeOlderFolders(userRecordingFolder(), keptMs, Date.now()).catch(() => undefined);
  const { state, job } = await resumeOrCreate(given, folder);
  const problems = new Set<string>();
  let areMissing = false;
  const standings = new Standings(options.agents, warn);
  const shared = { clock: systemClock, agents: options.agents, allowsPartial: flags.allowPartial };
  const observer = observeFor([terminal.summary, page.reporters], atTerminal({ ...terminal, signals }));
  const watch = new ShardsWatch({
    ...shared,
    observer: {
      ...observer,
      onStart: (run) => {
        observer.onStart?.(run);
        const warning = flags.logPayload === undefined ? targetWarning(run.test.target, options.host) : null;
        if (warning !== null) warn(warning);
      },
    },
    missing: () => standings.missing,
    onAbort: (threshold) => coordination.stop({ reason: threshold, interruption: null }),
  });
  const coordination: Coordination = await Coordination.begin({
    ...options,
    ...shared,
    state,
    folder,
    job,
    watch,
    events: {
      onStandings: (agents) => standings.update(agents),
      onProblem: (_seat, text) => problems.add(text),
      onMissing: (agents) => {
        areMissing = true;
        const shards = agents.map(({ shard, name }) => name ?? `shard ${shard + 1}`).join(", ");
        warn(`${shards}: missing for the whole --join-timeout; the run ends before its load`);
      },
    },
  });
  forwardSignals(signals.interruptions, coordination);
  try {
    await acceptAgents(given, state, coordination);
  } finally {
    watch.stop();
    await coordination.close();
  }
  if (problems.size > 0) throw new InvalidInput([...problems]);
  return conclude(given, { folder, standings, end: endOf(coordination.state, areMissing) });
}

/** Listens for agents until the run is over. */
async function acceptAgents(given: Coordinated, state: KeptState, coordination: Coordination): Promise<void> {
  const { host, port } = given.options;
  const listening = await listenForAgents({
    host,
    port,
    token: state.token,
    tls: linkSecurityOf(given.options, state),
    accept: (open) => coordination.accept(open),
  });
  try {
    printInvitation({ ...given, port: listening.port, state });
    await coordination.over;
  } finally {
    await listening.close();
  }
}

/**
 * Returns how links to agents are secured: the user's certificate, a key made of the token, or nothing on
 * loopback.
 */
function linkSecurityOf({ host }: CoordinateOptions, { tls }: KeptState): ListenOptions["tls"] {
  return tls ?? (isLoopback(host) ? null : "token");
}

/** Ends the load of all agents when the coordinator receives a signal. */
function forwardSignals(interruptions: Interruptions, coordination: Coordination): void {
  const stop = (interruption: "graceful" | "urgent"): void =>
    coordination.stop({ reason: `the coordinator, which received ${interruptions.signal}`, interruption });
  void interruptions.first.then(() => stop("graceful"));
  void interruptions.second.then(() => stop("urgent"));
}

interface EndedRun {
  readonly folder: RunFolder;
  readonly standings: Standings;
  readonly end: EndOfRun;
}

interface EndOfRun {
  /** True if the load of the agents began. */
  readonly hasBegun: boolean;
  /** The reason why the run was called off before the load; null if it was not. */
  readonly calledOffBy: string | null;
}

function endOf({ startAtMs, stop }: KeptState, areMissing: boolean): EndOfRun {
  const hasBegun = startAtMs !== null;
  return { hasBegun, calledOffBy: hasBegun || areMissing || stop === null ? null : stop.reason };
}

/** Merges the recordings into one result and reports it. Returns false if there is no result. */
async function conclude(
  { file, flags, page, terminal: { warn, summary } }: Coordinated,
  { folder, standings: { names, hasLost }, end: { hasBegun, calledOffBy } }: EndedRun,
): Promise<boolean> {
  const isCalledOff = calledOffBy !== null;
  const result = await mergeParts({ folder, names, allowsPartial: flags.allowPartial || isCalledOff });
  if (result === null) {
    const reason = isCalledOff ? `called off by ${calledOffBy}` : "no agent has sent anything";
    warn(`${reason}, so there is no result`);
    process.exitCode = isCalledOff ? exitCodes.interrupted : exitCodes.workerLost;
    await folder.remove();
    return false;
  }
  const reporters = createReporters(flags.out, [file]);
  const reported = await reportResult(createMultiplexer(reporters, warn), summary, result);
  await page.reporters.onEnd(reported.result);
  if (flags.logPayload !== undefined) await printResult(flags.logPayload, result);
  if (!hasBegun || (reported.isComplete && !hasLost)) await folder.remove();
  else
    warn(
      `the recordings of the agents are kept in ${folder.path}: bearhug merge ${folder.path}/part-*.bearhug`,
    );
  return true;
}

/** Returns the run stored in the folder, or a new one. */
async function resumeOrCreate(
  { file, flags, options }: Coordinated,
  folder: RunFolder,
): Promise<{ readonly state: KeptState; readonly job: PackedJob }> {
  const known = await folder.read();
  if (known !== null) {
    if (known.agents !== options.agents)
      throw new InvalidInput([`--agents ${options.agents}: the run in ${folder.path} has ${known.agents}.`]);
    return { state: known, job: await openJob(folder.job) };
  }
  await folder.make();
  if (isPackedJob(file)) await writeJob(folder.job, await openJob(file));
  else await packInto(folder.job, file, flags, options);
  const { token, tls, agents } = options;
  const state: KeptState = {
    runId: flags.runId ?? randomUUID(),
    agents,
    token: token ?? makeToken(),
    tls,
    seats: [],
    startAtMs: null,
    stop: null,
    setupData: null,
  };
  return { state, job: await openJob(folder.job) };
}

async function packInto(
  folder: string,
  file: string,
  flags: CoordinateFlags,
  { run }: CoordinateOptions,
): Promise<void> {
  const loaded = await loadModule(file);
  try {
    const workingFolder = process.cwd();
    await writeJob(folder, await packJob({ loaded, options: run, files: flags.send, workingFolder }));
  } finally {
    loaded.remove();
  }
}

/** Prints the command that starts an agent, or how many agents are still missing. */
function printInvitation({
  flags,
  options,
  terminal,
  port,
  state,
}: Coordinated & { readonly port: number; readonly state: KeptState }): void {
  const { token } = state;
  const { agents, host } = options;
  const address = `${linkSecurityOf(options, state) === null ? "ws" : "wss"}://${reachable(host)}:${port}`;
  const missing = agents - state.seats.length;
  if (missing === 0) {
    terminal.warn(`waiting on ${address} for the agents to return`);
    return;
  }
  const words = [
    ...(options.token === null ? [`BEARHUG_TOKEN=${token}`] : []),
    `bearhug agent --join ${address}`,
  ];
  const waiting = `waiting for ${missing} ${missing === 1 ? "agent" : "agents"}`;
  // With --log-payload, the coordinator is in a pod, and Kubernetes starts the agents.
  if (flags.logPayload !== undefined) {
    terminal.warn(waiting);
    return;
  }
  const ownToken = options.token === null ? "" : " and the token that the coordinator has (BEARHUG_TOKEN)";
  terminal.warn(`${waiting}. Start each of them with this line${ownToken}:`);
  terminal.print(printable(`  ${words.join(" ")}`));
}

/** Returns an address that other machines can use if `host` is a wildcard; otherwise `host` itself. */
function reachable(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return host.includes(":") ? `[${host}]` : host;
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return all.find(({ internal, family }) => !internal && family === "IPv4")?.address ?? hostname();
}
