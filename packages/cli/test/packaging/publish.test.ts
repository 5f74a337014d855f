import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { json } from "node:stream/consumers";

import { expect, onTestFinished, test } from "vitest";

import { publishedPackages, version } from "../../../../tools/published-packages.mjs";
import { root } from "../../../../tools/workspace.mjs";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { runOrThrow, runProcess } from "./run-process.ts";

const names = publishedPackages.map(({ manifest }) => manifest.name);

/** Writes tarballs with the file names of a release, each with only a manifest. */
async function makeRelease(): Promise<string> {
  const release = temporaryFolder();
  for (const { manifest, file } of publishedPackages) {
    const folder = join(release, manifest.name);
    mkdirSync(join(folder, "package"), { recursive: true });
    writeFileSync(join(folder, "package/package.json"), JSON.stringify({ name: manifest.name, version }));
    await runOrThrow("tar", ["-czf", join(release, file), "-C", folder, "package"], release);
  }
  return release;
}

/** Publishes to a registry on loopback that already has some packages and refuses others. */
async function publish({
  has = [],
  refuses = [],
  tag,
}: {
  has?: string[];
  refuses?: string[];
  tag?: string;
}) {
  const published: string[] = [];
  const tags = new Set<string>();
  const server = createServer((request, response) => {
    const [path = ""] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("?");
    if (request.method === "PUT") {
      if (!refuses.includes(path)) published.push(path);
      void json(request).then((sent) => {
        for (const name of Object.keys((sent as { "dist-tags": object })["dist-tags"])) tags.add(name);
        response.writeHead(refuses.includes(path) ? 403 : 201).end("{}");
      });
    } else if (has.includes(path)) {
      const versions = { [version]: { name: path, version } };
      response.end(JSON.stringify({ name: path, "dist-tags": { latest: version }, versions }));
    } else response.writeHead(404).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const release = await makeRelease();
  writeFileSync(join(release, ".npmrc"), `registry=http://${address}/\n//${address}/:_authToken=token\n`);
  const line = ["tools/publish.mjs", relative(root, release), ...(tag === undefined ? [] : [tag])];
  const run = await runProcess(process.execPath, line, root, {
    npm_config_userconfig: join(release, ".npmrc"),
    // Overrides the registry that the package manager of this test passes to its children.
    npm_config_registry: `http://${address}/`,
    npm_config_cache: join(release, "cache"),
  });
  return { ...run, published, tags: [...tags] };
}

test("packages are published after the packages they depend on", () => {
  for (const [index, { manifest }] of publishedPackages.entries()) {
    const needed = Object.keys(manifest.dependencies ?? {}).filter((name) => names.includes(name));
    expect(names.slice(0, index)).toEqual(expect.arrayContaining(needed));
  }
});

test("all packages get the given tag", async () => {
  expect(await publish({ tag: "latest-1" })).toMatchObject({ code: 0, published: names, tags: ["latest-1"] });
});

test("a second attempt publishes what the first one did not, by default as latest", async () => {
  const [first = "", second = "", ...others] = names;
  const failed = await publish({ refuses: [second] });
  expect(failed).toMatchObject({ code: 1, published: [first] });
  expect(failed.stderr).toContain(`${second} could not be published, nor what follows it.\n`);
  const repeated = await publish({ has: [first] });
  expect(repeated).toMatchObject({ code: 0, published: [second, ...others], tags: ["latest"] });
  expect(repeated.stdout).toContain(`${first} ${version} is published already.\n`);
});
