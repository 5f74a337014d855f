import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { serverEnvironment, startServerProcess, type ServerProcess } from "./server-process.ts";

/** The configuration of one nginx. */
export interface NginxSite {
  /** Its own folder, removed when it has ended. */
  readonly folder: string;
  /** One of the ports that it listens on. */
  readonly port: number;
  /** Directives of `http`: servers, logs. */
  readonly directives: string;
  /** Prepended to the command, such as `taskset -c 0`. */
  readonly launcher?: readonly string[];
}

/** Returns the version of the installed nginx; null if there is none. */
export function readNginxVersion(): string | null {
  try {
    const shown = execFileSync("sh", ["-c", "nginx -v 2>&1"], { encoding: "utf8", env: serverEnvironment });
    return /nginx\/(\S+)/.exec(shown)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Starts nginx with one process, which closes no connection. */
export async function startNginx(site: NginxSite): Promise<ServerProcess> {
  const { folder, port, launcher = [] } = site;
  writeFileSync(join(folder, "nginx.conf"), nginxConfig(site));
  const files = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  return startServerProcess([...launcher, "nginx", ...files], folder, port);
}

function nginxConfig({ folder, directives }: NginxSite): string {
  const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 19000; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  ${temporaryPaths.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  ${directives}
}
`;
}
