import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { onTestFinished } from "vitest";

import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { makeCertificate } from "../../../http/test/make-certificate.ts";
import { freePort } from "../free-port.ts";
import { readAccessLog, type LogLine } from "./access-log.ts";
import { nginxConfig, type NginxSite } from "./nginx-config.ts";

/** Debian installs nginx in a folder that only root has in its PATH. */
const environment = { ...process.env, PATH: [process.env["PATH"], "/usr/sbin"].join(delimiter) };

/** True if there is an nginx to test against. If BEARHUG_REQUIRE_TOOLS is set, tests fail without one. */
export const hasNginx = process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || canRunNginx();

function canRunNginx(): boolean {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore", env: environment });
    return true;
  } catch {
    return false;
  }
}

/** An nginx for one test; it ends with the test. */
export interface Nginx {
  readonly site: NginxSite;
  /** The address for HTTP/1.1 without TLS. */
  readonly url: string;
  /** Reloads the configuration: a new process takes over, the old one ends its connections gracefully. */
  reload(): void;
  /** Ends nginx at once, with all its connections; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts nginx again. */
  start(): Promise<void>;
  /** Lets nginx finish the requests that it has begun, and reads its log. */
  quit(): Promise<readonly LogLine[]>;
}

/** The options of one nginx. */
export interface NginxOptions {
  /** Directives of the server, such as `keepalive_requests 50;`. */
  readonly directives?: string;
  /** True for a certificate for `localhost`; its path is `cert.pem` in the folder. */
  readonly isSecure?: boolean;
  /** The files below `static`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** Starts an nginx on free ports, with its configuration, logs and files in its own folder. */
export async function startNginx({
  directives = "",
  isSecure = false,
  files = {},
}: NginxOptions = {}): Promise<Nginx> {
  const folder = temporaryFolder();
  mkdirSync(`${folder}/static`);
  for (const [name, content] of Object.entries(files)) writeFileSync(`${folder}/static/${name}`, content);
  if (isSecure) {
    const { key, cert } = makeCertificate("DNS:localhost");
    writeFileSync(`${folder}/key.pem`, key);
    writeFileSync(`${folder}/cert.pem`, cert);
  }
  const [plainPort, h2cPort, tlsPort, h2Port] = await freePorts();
  const site = { folder, plainPort, h2cPort, tlsPort, h2Port, hasCertificate: isSecure, directives };
  writeFileSync(`${folder}/nginx.conf`, nginxConfig(site));
  return control(site, await run(folder));
}

function control(site: NginxSite, first: ChildProcess): Nginx {
  const { folder } = site;
  let nginx = first;
  onTestFinished(() => end(nginx, "SIGTERM"));
  return {
    site,
    url: `http://127.0.0.1:${site.plainPort}`,
    reload: () => void nginx.kill("SIGHUP"),
    kill: () => end(nginx, "SIGTERM"),
    start: async () => {
      nginx = await run(folder);
    },
    quit: async () => {
      await end(nginx, "SIGQUIT");
      return readAccessLog(`${folder}/access.log`);
    },
  };
}

/** Starts the process. It listens when it has written its process ID. */
async function run(folder: string): Promise<ChildProcess> {
  const flags = ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`];
  const nginx = spawn("nginx", flags, { stdio: ["ignore", "ignore", "pipe"], env: environment });
  let complaint = "";
  nginx.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  // A process that did not start is never signalled: the signal would go to the whole process group.
  if (nginx.pid === undefined) throw (await once(nginx, "error"))[0];
  for (let waited = 0; waited < 1000; waited++) {
    if (isWritten(`${folder}/nginx.pid`)) return nginx;
    if (nginx.exitCode !== null) break;
    await sleep(10);
  }
  nginx.kill("SIGKILL");
  throw new Error(`nginx did not start: ${complaint}`);
}

function isWritten(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Ends nginx: with this signal, and with SIGTERM if it has not ended after 10 s. */
async function end(nginx: ChildProcess, signal: "SIGTERM" | "SIGQUIT"): Promise<void> {
  if (nginx.exitCode !== null || nginx.signalCode !== null) return;
  const gone = once(nginx, "exit");
  nginx.kill(signal);
  const force = setTimeout(() => nginx.kill("SIGTERM"), 10_000);
  await gone;
  clearTimeout(force);
}

async function freePorts(): Promise<[number, number, number, number]> {
  return [await freePort(), await freePort(), await freePort(), await freePort()];
}
