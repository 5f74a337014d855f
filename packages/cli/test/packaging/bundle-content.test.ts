import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapping, type SourceMapPayload } from "node:module";
import { join } from "node:path";

import { describe, expect, test } from "vitest";
import * as z from "zod";

import { bundleOnce } from "../../../../tools/bundle-once.mjs";
import { repository } from "../../../../tools/repository.mjs";
import { readJson, root } from "../../../../tools/workspace.mjs";

const { version } = readJson(join(root, "packages/cli/package.json")) as { version: string };
const bundles = await bundleOnce();
const files = bundles.flatMap(({ name, files }) =>
  files.map(({ path, contents }) => ({ name, path, text: Buffer.from(contents).toString() })),
);

describe("the bundles", () => {
  test("have zod's messages in English alone", () => {
    const messages = Object.values(z.locales).map((language) =>
      language().localeError({ code: "custom", input: 1, path: [], message: "" }),
    );
    // The bundler writes other letters as escapes.
    const foreign = messages
      .filter((text) => typeof text === "string")
      .filter((text) => /^[a-z ]+$/i.test(text) && text !== "Invalid input");
    expect(foreign).toContain("Input non valido");

    const anyOfThem = new RegExp(`"(${foreign.join("|")})"`);
    expect(files.filter(({ text }) => anyOfThem.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test.for(["zod", "tldts"])("have one copy of %s, which is the SDK's", (name) => {
    const heading = new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, "m");
    const notices = files.filter(({ path }) => path.endsWith("THIRD-PARTY-NOTICES.txt"));
    expect(notices.filter(({ text }) => heading.test(text)).map((file) => file.name)).toEqual(["sdk"]);
  });

  test("say of each function of ours where the repository has it", () => {
    const places = mapped().flatMap(({ path, text, map }) =>
      text.split("\n").flatMap((line, index) => {
        // The bundler numbers the names that several files have.
        const named = /^(?:async )?function ([a-zA-Z]+)/.exec(line)?.[1];
        const entry = map.findEntry(index, 0);
        if (named === undefined || !isMapped(entry)) return [];
        const source = sourceLine(entry.originalSource, entry.originalLine);
        return { named, at: `${path}:${index + 1}`, isRight: source.includes(`function ${named}`) };
      }),
    );
    expect(places.length).toBeGreaterThan(4000);
    expect(places.filter(({ isRight, named }) => !isRight && !writtenFunctions.includes(named))).toEqual([]);
  });

  test("say nothing of what the code of others is made from", () => {
    let lines = 0;
    for (const { path, text, map } of mapped().filter(({ name }) => name !== "cli")) {
      let isForeign = true;
      for (const [index, line] of text.split("\n").entries()) {
        // The bundler names each module before its code.
        const module = /^\/\/ (\S*\/node_modules\/\S+|lazy-module:\S+|src\/\S+\.ts)$/.exec(line)?.[1];
        if (module !== undefined) isForeign = !module.startsWith("src/");
        if (!isForeign || /^(?:$|\/\/)/.test(line)) continue;
        expect(isMapped(map.findEntry(index, line.length)), `${path}:${index + 1}`).toBe(false);
        lines += 1;
      }
    }
    expect(lines).toBeGreaterThan(20_000);
  });
});

/** Functions that stand in a text, for a test that is written or a page that is shown. */
const writtenFunctions = ["rowOf", "post", "cartHeaders", "say"];

/** The files with a map, each with its map. */
function mapped() {
  return files.flatMap(({ name, path, text }) => {
    const map = files.find((file) => file.name === name && file.path === `${path}.map`);
    if (map === undefined) return [];
    expect(text).toMatch(/\/\/# sourceMappingURL=[\w.-]+\.js\.map\n$/);
    const payload = JSON.parse(map.text) as SourceMapPayload;
    expect(payload.sourceRoot).toBe(`${repository}/blob/v${version}/`);
    return [{ name, path: `${name}/${path}`, text, map: new SourceMap(payload) }];
  });
}

function isMapped(entry: SourceMapping | object): entry is SourceMapping {
  // Where no source is named, it is there, and undefined.
  const { originalSource }: { readonly originalSource?: unknown } = entry;
  return originalSource !== undefined;
}

function sourceLine(path: string, index: number): string {
  return readFileSync(join(root, path), "utf8").split("\n")[index] ?? "";
}
