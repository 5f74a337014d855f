import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import * as z from "zod";

import { runOrThrow } from "./run-process.ts";

const manifestSchema = z.looseObject({ name: z.string(), version: z.string() });

interface Published {
  readonly manifest: z.infer<typeof manifestSchema>;
  readonly tarball: Buffer;
}

export interface LocalRegistry extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts a registry on loopback that serves some tarballs and redirects to npm's own registry for other
 * packages.
 */
export async function startRegistry(tarballs: readonly string[]): Promise<LocalRegistry> {
  const { stdout } = await runOrThrow("npm", ["config", "get", "registry"], import.meta.dirname);
  const upstream = stdout.trim();
  const published = await Promise.all(tarballs.map(readTarball));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/").slice(1);
    const name = path.replace(/\.tgz$/, "");
    const own = published.find(({ manifest }) => manifest.name === name);
    if (own === undefined)
      response.writeHead(302, { location: new URL(request.url ?? "/", upstream).href }).end();
    else if (path.endsWith(".tgz")) response.end(own.tarball);
    else response.end(JSON.stringify(describe(own, `http://${request.headers.host ?? ""}/${name}.tgz`)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readTarball(path: string): Promise<Published> {
  const { stdout } = await runOrThrow("tar", ["-xzOf", path, "package/package.json"], import.meta.dirname);
  return { manifest: manifestSchema.parse(JSON.parse(stdout)), tarball: readFileSync(path) };
}

/** Returns a package's metadata in the registry format, with one version, the latest. */
function describe({ manifest, tarball }: Published, url: string): object {
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const { name, version } = manifest;
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: url, integrity } } },
  };
}
