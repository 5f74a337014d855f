import { parseArgs } from "node:util";
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** Limits that the user sets for the agent. They are described to the agent, and passed to each command. */
export interface Bounds {
  /** Hosts that tests may contact, with or without a port. */
  readonly hosts: readonly string[];
  /** The highest number of virtual users in a run. */
  readonly vus: number;
  /** The longest time that a run may plan, in seconds. */
  readonly seconds: number;
  /** The folder whose files may be read and run. */
  readonly directory: string;
}

export const usage = `bearhug-mcp: an MCP server for coding agents, on stdin and stdout

Options:
  --host <host>       a host that tests may contact: staging.example, 127.0.0.1:8080
                      (repeatable; default: 127.0.0.1, localhost and [::1])
  --max-vus <n>       the most virtual users of a run (default: 50)
  --max-seconds <n>   the longest run, graceful stops included (default: 120)
  --directory <path>  the folder of the tests (default: the current one)
  -h, --help          show this help

A test is a program: it runs with your rights, as everything that an agent starts.
The bounds limit the load and the hosts that bearhug contacts for it.
`;

/** Parses the command line; null for `--help`. @throws {TypeError} with a sentence about the problem */
export function readBounds(words: readonly string[], currentFolder: string): Bounds | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      host: { type: "string", multiple: true },
      "max-vus": { type: "string", default: "50" },
      "max-seconds": { type: "string", default: "120" },
      directory: { type: "string", default: currentFolder },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return null;
  return {
    hosts: values.host?.flatMap(readHosts) ?? ["127.0.0.1", "localhost", "[::1]"],
    vus: readCount("--max-vus", values["max-vus"]),
    seconds: readCount("--max-seconds", values["max-seconds"]),
    directory: values.directory,
  };
}

function readHosts(text: string): string[] {
  const hosts = text.split(",").map((host) => host.trim());
  for (const host of hosts)
    if (!isHost(host))
      throw new TypeError(
        `--host ${JSON.stringify(host)}: must be a host such as 127.0.0.1 or shop.example:8080, without a path.`,
      );
  return hosts;
}

function isHost(text: string): boolean {
  return text !== "" && !/[/?#@*\\\s]|:$/.test(text) && URL.canParse(`http://${text}`);
}

function readCount(flag: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new TypeError(`${flag} ${text}: must be a whole number above 0.`);
  return Number(text);
}

/** Describes the bounds to the agent. */
export function describeBounds({ hosts, vus, seconds, directory }: Bounds): string {
  return `Tests may contact only ${hosts.join(", ")}. A run has at most ${vus} virtual users and may plan at most ${seconds} s, graceful stops included. Tests must be files in ${directory}. Only the user can change these bounds: they are options of bearhug-mcp.`;
}

/** Returns the bounds as options of `bearhug run` and `check`. */
export function limitFlags({ hosts, vus, seconds }: Bounds): string[] {
  return [...hostFlags({ hosts }), "--limit-vus", String(vus), "--limit-duration", `${seconds}s`];
}

/** Returns only the hosts as options, for commands that make one iteration. */
export function hostFlags({ hosts }: Pick<Bounds, "hosts">): string[] {
  return hosts.flatMap((host) => ["--limit-hosts", host]);
}

/** The rejection of a path from the agent, in one sentence. */
export class RefusedPath extends Error {
  override readonly name = "RefusedPath";
}

/**
 * Resolves a path, including symbolic links, to a file that must be inside one of the folders.
 * @throws {RefusedPath}
 */
export function fileWithin(path: string, folders: readonly string[], endings: readonly string[]): string {
  const [first = "."] = folders;
  const real = realPath(resolve(first, path));
  if (real === null || !statSync(real).isFile()) throw new RefusedPath(`${path}: there is no such file.`);
  if (!folders.some((folder) => isWithin(real, folder)))
    throw new RefusedPath(`${path}: is not in ${first}.`);
  if (!endings.some((ending) => real.endsWith(ending)))
    throw new RefusedPath(`${path}: must end in ${endings.join(", ")}.`);
  return real;
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(realpathSync(folder), path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
