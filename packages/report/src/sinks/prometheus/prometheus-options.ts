import type { ListenOptions } from "../../local-server/listen.ts";

/** The address that serves `/metrics`. */
const defaults: ListenOptions = { host: "127.0.0.1", port: 9464 };

/** Reads the address of `--out prometheus=HOST:PORT`. Adds a sentence to `problems` if it is not valid. */
export function readPrometheusOptions(
  out: string,
  address: string | undefined,
  problems: string[],
): ListenOptions {
  if (address === undefined) return defaults;
  const [, bracketed, host = bracketed, port] =
    /^(?:\[([\da-fA-F:.]+)\]|([^:[\]/\s]+)):(\d+)$/.exec(address) ?? [];
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  problems.push(
    `--out ${out}: must be written prometheus=HOST:PORT, such as prometheus=${defaults.host}:${defaults.port}.`,
  );
  return defaults;
}
