import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { startNginx } from "../nginx.ts";
import { serverEnvironment, startServerProcess, type ServerProcess } from "../server-process.ts";

/** The folder and the port of a peer. */
export interface PeerSite {
  /** The peer's own folder, with `cert.pem`, `key.pem` and, in `site`, the files. */
  readonly folder: string;
  readonly port: number;
}

/** A server of another implementation of HTTP/2. */
export interface Peer {
  readonly name: string;
  /** A command that shows whether it is installed. */
  readonly probe: readonly [string, ...string[]];
  /** True if the response to POST /echo has the body of the request. */
  readonly echoes: boolean;
  /** True if it serves the paths of `server.go`. */
  readonly hasOddPaths: boolean;
  start(site: PeerSite): Promise<ServerProcess>;
}

export const peers: readonly Peer[] = [
  {
    name: "nginx",
    probe: ["nginx", "-v"],
    echoes: false,
    hasOddPaths: false,
    start: ({ folder, port }) =>
      startNginx({
        folder,
        port,
        directives: `server {
    listen 127.0.0.1:${port} ssl http2;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    root ${folder}/site;
  }`,
      }),
  },
  {
    name: "nghttpd",
    probe: ["nghttpd", "--version"],
    echoes: true,
    hasOddPaths: false,
    start: ({ folder, port }) => {
      const options = ["--echo-upload", "-d", join(folder, "site"), "--address=127.0.0.1", String(port)];
      const command = ["nghttpd", ...options, join(folder, "key.pem"), join(folder, "cert.pem")];
      return startServerProcess(command, folder, port);
    },
  },
  {
    name: "Caddy",
    probe: ["caddy", "version"],
    echoes: true,
    hasOddPaths: false,
    start: ({ folder, port }) => {
      const config = join(folder, "Caddyfile");
      writeFileSync(config, caddyfile(folder, port));
      const command = ["caddy", "run", "--config", config, "--adapter", "caddyfile"];
      return startServerProcess(command, folder, port);
    },
  },
  {
    name: "Go net/http",
    probe: ["go", "version"],
    echoes: true,
    hasOddPaths: true,
    start: ({ folder, port }) => {
      const program = join(folder, "server");
      const source = join(import.meta.dirname, "server.go");
      execFileSync("go", ["build", "-o", program, source], { stdio: "inherit" });
      const files = [join(folder, "cert.pem"), join(folder, "key.pem"), join(folder, "site")];
      return startServerProcess([program, String(port), ...files], folder, port);
    },
  },
];

export function isInstalled({ probe: [program, ...options] }: Peer): boolean {
  return spawnSync(program, options, { stdio: "ignore", env: serverEnvironment }).error === undefined;
}

function caddyfile(folder: string, port: number): string {
  return `{
  admin off
  auto_https off
  persist_config off
  log {
    level ERROR
  }
}
https://127.0.0.1:${port} {
  tls ${folder}/cert.pem ${folder}/key.pem
  handle /echo {
    respond "{http.request.body}"
  }
  handle {
    root * ${folder}/site
    file_server
  }
}
`;
}
