import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { onTestFinished } from "vitest";

import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { makeCertificate } from "../../../http/test/make-certificate.ts";
import { requestUnverified } from "./request-unverified.ts";

type Command = readonly [program: string, ...arguments_: string[]];

/** The folders and the address of one running application. */
export interface Place {
  /** The folder of the build. */
  readonly built: string;
  /** The folder of the application's data. */
  readonly data: string;
  readonly port: number;
  readonly url: string;
  /** A folder with `cert.pem` and `key.pem`; absent for plain HTTP. */
  readonly certificate?: string;
}

/** A third-party application, built from packages of a registry and the sources in `applications/<name>`. */
export interface Application {
  readonly name: string;
  /** Programs that build and run the application. */
  readonly tools: readonly string[];
  readonly build: (folder: string) => readonly Command[];
  readonly environment: (place: Place) => Readonly<Record<string, string>>;
  /** Returns commands that create its database, with the user `ann`. */
  readonly prepare: (place: Place) => readonly Command[];
  readonly serve: (place: Place) => Command;
  /** Returns how many notes its database holds. */
  readonly countNotes: (place: Place) => number;
}

export function sourcesOf({ name }: Application): string {
  return join(import.meta.dirname, "applications", name);
}

/** Returns the tools of an application that this machine lacks. */
export function missingTools({ tools }: Pick<Application, "tools">): readonly string[] {
  const folders = (process.env["PATH"] ?? "").split(":");
  return tools.filter((tool) => !folders.some((folder) => existsSync(join(folder, tool))));
}

/** Builds an application, once for its sources and this version of Node. Returns the folder. */
export function build(application: Application): string {
  const sources = sourcesOf(application);
  // Not in a folder called node_modules: bundlers would take its sources for a package.
  const folder = join(tmpdir(), "bearhug-applications", `${application.name}-${digestOf(sources)}`);
  const finished = join(folder, ".finished");
  if (existsSync(finished)) return folder;
  rmSync(folder, { recursive: true, force: true });
  cpSync(sources, folder, { recursive: true });
  runAll(application.build(folder), folder, {});
  writeFileSync(finished, "");
  return folder;
}

function digestOf(folder: string): string {
  const digest = createHash("sha256").update(process.version);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) digest.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  return digest.digest("hex").slice(0, 12);
}

function runAll(
  commands: readonly Command[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): void {
  for (const [program, ...arguments_] of commands)
    execFileSync(program, arguments_, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 64 * 1024 ** 2,
    });
}

/** Starts an application with an empty database. It ends with the test. */
export async function start(application: Application, isSecure = false): Promise<Place> {
  const data = temporaryFolder();
  const port = await freePort();
  const place: Place = {
    built: build(application),
    data,
    port,
    url: `${isSecure ? "https" : "http"}://127.0.0.1:${port}`,
    ...(isSecure ? { certificate: writeCertificate(data) } : {}),
  };
  const environment = application.environment(place);
  runAll(application.prepare(place), place.built, environment);
  const [program, ...arguments_] = application.serve(place);
  const child = spawn(program, arguments_, {
    cwd: place.built,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill()) await once(child, "exit");
  });
  await untilItAnswers(place.url, () => {
    if (child.exitCode !== null) throw new Error(`${application.name} ended:\n${output}`);
  });
  return place;
}

function writeCertificate(data: string): string {
  const folder = join(data, "certificate");
  mkdirSync(folder);
  const { key, cert } = makeCertificate("IP:127.0.0.1");
  writeFileSync(join(folder, "key.pem"), key);
  writeFileSync(join(folder, "cert.pem"), cert);
  return folder;
}

async function untilItAnswers(url: string, checkAlive: () => void): Promise<void> {
  while (!(await answers(url))) {
    checkAlive();
    await wait(100);
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    requestUnverified(new URL(url), { agent: false })
      .on("response", (response) => {
        response.resume().on("close", () => {
          resolve((response.statusCode ?? 500) < 500);
        });
      })
      .on("error", () => {
        resolve(false);
      })
      .end();
  });
}
