// Is each phase as long as its delay? Delays a name server, a full queue of connections, a proxy's tunnel, a
// TLS handshake, a server that does not read, a first byte and a body by 40, 150 and 400 ms each. The median
// of five requests must be right within 5 ms + 5 % of the delay, in the delayed phase and in all others,
// which were not delayed. The delay of the full queue is the system's.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { TestResult } from "bearhug";

import { runTest } from "./bench-process.ts";

const delaysMs = [40, 150, 400];
const samples = 5;
const phases = ["looking_up", "connecting", "tls_handshaking", "sending", "waiting", "receiving"] as const;
type Phase = (typeof phases)[number];

interface Targets {
  readonly http: string;
  readonly h2c: string;
  readonly https: string;
  readonly nameServer: string;
  readonly proxy: string;
  readonly relay: string;
}

interface Target {
  readonly name: string;
  readonly phase: Phase;
  /** The options of `http`. */
  readonly http?: object;
  /** The addresses, requested in turn. */
  readonly urls: readonly string[];
  readonly bodyBytes?: number;
  /** The process that is stopped, and how long after the first request it continues. */
  readonly stopped?: { readonly pid: number; readonly forMs: number };
}

const trusting = { tls: { insecureSkipTlsVerify: true } };
const h2c = { protocol: "h2c" };
const mebibyte = 1024 * 1024;

function targetsOf({ http, h2c: http2, https, nameServer, proxy, relay }: Targets): readonly Target[] {
  const port = http.split(":")[1] ?? "";
  return [
    {
      name: "name server",
      phase: "looking_up",
      http: { dns: { servers: [nameServer], ttl: 0 } },
      urls: [`http://late.example:${port}/opening`],
    },
    {
      name: "proxy's tunnel",
      phase: "connecting",
      http: { ...trusting, proxy: `http://${proxy}` },
      urls: [`https://${https}/opening`],
    },
    { name: "TLS handshake", phase: "tls_handshaking", http: trusting, urls: [`https://${relay}/opening`] },
    { name: "upload", phase: "sending", urls: [`http://${http}/upload`], bodyBytes: 16 * mebibyte },
    {
      name: "upload, HTTP/2",
      phase: "sending",
      http: h2c,
      urls: [`http://${http2}/upload`],
      bodyBytes: mebibyte,
    },
    { name: "first byte", phase: "waiting", urls: [`http://${http}/first-byte`] },
    { name: "first byte, HTTP/2", phase: "waiting", http: h2c, urls: [`http://${http2}/first-byte`] },
    { name: "body", phase: "receiving", urls: [`http://${http}/body`] },
    { name: "body, HTTP/2", phase: "receiving", http: h2c, urls: [`http://${http2}/body`] },
  ];
}

/** The time until both sides have compiled their code. */
const warmUpMs = 1500;

/** Returns the source of a test that sends one request after another, or one to each address, all at once. */
function sourceOf({ http = {}, urls, bodyBytes = 0, stopped }: Target): string {
  const [vus, iterations] = urls.length > 1 ? [urls.length, 1] : [1, samples];
  const continueServer =
    stopped === undefined
      ? ""
      : `if (iteration.index === 0) setTimeout(() => process.kill(${stopped.pid}, "SIGCONT"), ${stopped.forMs});`;
  const first = `first: { executor: "per-vu-iterations", exec: visit },`;
  const method = bodyBytes > 0 ? "POST" : "GET";
  return `import { defineTest } from "@bearhug/sdk";
const urls = ${JSON.stringify(urls)};
const body = ${bodyBytes} > 0 ? { body: Buffer.alloc(${bodyBytes}) } : {};
const visit = async ({ http, iteration, metrics }) => {
  ${continueServer}
  const calledAt = process.hrtime.bigint();
  const response = await http.request("${method}", urls[iteration.index % urls.length], body);
  const received = response.json();
  // A server with a full queue reports when the connection was accepted.
  const acceptedMs = typeof received === "string" ? Number(BigInt(received) - calledAt) / 1e6 : 0;
  const [least, most] = typeof received === "string" ? [acceptedMs, acceptedMs] : received;
  metrics.least_held.add(least);
  metrics.most_held.add(most);
};
export default defineTest({
  allowHosts: ${JSON.stringify(urls.map((url) => new URL(url).hostname))},
  http: ${JSON.stringify({ ...http, connections: "perRequest" })},
  metrics: { least_held: { type: "trend" }, most_held: { type: "trend" } },
  scenarios: {
    ${urls.length > 1 ? "" : first}
    measured: {
      executor: "per-vu-iterations", vus: ${vus}, iterations: ${iterations},
      startTime: "${urls.length > 1 ? 0 : warmUpMs}ms", exec: visit,
    },
  },
});`;
}

function fill(port: number): Socket {
  return connect({ host: "127.0.0.1", port }).on("error", () => undefined);
}

let beyond = 0;

async function judge(target: Target): Promise<void> {
  const { result } = await runTest(sourceOf(target), "--workers", "1");
  const measured = phases.map((phase) => medianOf(result, `http_req_${phase}`));
  const [leastMs, mostMs] = [medianOf(result, "least_held"), medianOf(result, "most_held")];
  const allowedMs = 5 + leastMs / 20;
  const { forMs = 0 } = target.stopped ?? {};
  const isHeld = phases.every((phase, at) => {
    const figureMs = measured[at] ?? Number.NaN;
    if (phase === target.phase)
      return leastMs > forMs && figureMs >= leastMs - allowedMs && figureMs <= mostMs + allowedMs;
    // The system may hold a part of an upload before the server has read it.
    const slackMs = target.phase === "sending" && phase === "waiting" ? mostMs - leastMs : 0;
    return figureMs <= allowedMs + slackMs;
  });
  if (!isHeld) beyond++;
  const held = mostMs - leastMs < 1 ? leastMs.toFixed(1) : `${leastMs.toFixed(1)} to ${mostMs.toFixed(1)}`;
  const cells = measured.map((figureMs) => figureMs.toFixed(1).padStart(11));
  console.log(`${target.name.padEnd(19)}${held.padStart(15)}${cells.join("")}  ${isHeld ? "ok" : "BEYOND"}`);
}

function medianOf({ series }: TestResult, name: string): number {
  const wanted = JSON.stringify({ scenario: "measured" });
  const found = series.find(({ metric, tags }) => metric === name && JSON.stringify(tags) === wanted);
  const value = found?.values["count"] === samples ? found.values["med"] : undefined;
  return typeof value === "number" ? value : Number.NaN;
}

async function start(program: string, ...options: readonly number[]): Promise<[ChildProcess, unknown]> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [path, ...options.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return [child, JSON.parse(line)];
}

const heads = ["looking up", "connecting", "TLS", "sending", "waiting", "receiving"];
console.log(
  `${"delayed".padEnd(19)}${"held for ms".padStart(15)}${heads.map((head) => head.padStart(11)).join("")}`,
);
for (const delayMs of delaysMs) {
  const [child, targets] = await start("delayed-targets.ts", delayMs);
  for (const target of targetsOf(targets as Targets)) await judge(target);
  child.kill();
}
// Linux drops the SYN of a connection to a full queue, and the client's system sends it again after a second,
// then after another.
for (const forMs of [300, 1500]) {
  const [child, ports] = await start("full-server.ts", samples);
  const { pid = 0 } = child;
  child.kill("SIGSTOP");
  const fillers = (ports as readonly number[]).flatMap((port) => [fill(port), fill(port)]);
  await Promise.all(fillers.map((filler) => once(filler, "connect")));
  const urls = (ports as readonly number[]).map((port) => `http://127.0.0.1:${port}/`);
  await judge({ name: "full queue", phase: "connecting", urls, stopped: { pid, forMs } });
  for (const filler of fillers) filler.destroy();
  child.kill("SIGKILL");
}
console.log(beyond === 0 ? "all within 5 ms + 5 %" : `${beyond} beyond 5 ms + 5 %`);
process.exitCode = beyond === 0 ? 0 : 1;
