import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Debian's nginx is where only root looks. */
const environment = { ...process.env, PATH: [process.env["PATH"], "/usr/sbin"].join(delimiter) };

/** A server that costs little: it answers six bytes at once, to as many requests a connection as come. */
export interface QuickServer {
  readonly url: string;
  /** What it is. */
  readonly name: string;
  stop(): void;
}

/** Starts nginx with one process, or where there is none the least that speaks HTTP/1.1 on Node's sockets. */
export async function startQuickServer(): Promise<QuickServer> {
  return hasNginx() ? startNginx() : startRawServer();
}

function hasNginx(): boolean {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore", env: environment });
    return true;
  } catch {
    return false;
  }
}

async function startNginx(): Promise<QuickServer> {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-nginx-"));
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), nginxConfig(folder, port));
  const flags = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const nginx = spawn("nginx", flags, { stdio: ["ignore", "ignore", "inherit"], env: environment });
  await untilItListens(nginx, port);
  nginx.once("exit", () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: `http://127.0.0.1:${port}`, name: "nginx", stop: () => void nginx.kill() };
}

function nginxConfig(folder: string, port: number): string {
  const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  ${temporaryPaths.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  server { listen 127.0.0.1:${port}; location / { return 200 "hello\\n"; } }
}
`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return address !== null && typeof address === "object" ? address.port : 0;
}

async function untilItListens(nginx: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 500 && nginx.exitCode === null; tries++) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await wait(20);
    } finally {
      socket.destroy();
    }
  }
  nginx.kill();
  throw new Error("nginx did not start");
}

async function startRawServer(): Promise<QuickServer> {
  const file = fileURLToPath(new URL("raw-server.ts", import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { url, name: "a server on Node's sockets", stop: () => void child.kill() };
}
