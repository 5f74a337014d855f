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
  test("contain zod's messages only in English", () => {
    const messages = Object.values(z.locales).map((language) =>
      language().localeError({ code: "custom", input: 1, path: [], message: "" }),
    );
    // Only ASCII texts can be searched for, because the bundler escapes other letters.
    const foreign = messages
      .filter((text) => typeof text === "string")
      .filter((text) => /^[a-z ]+$/i.test(text) && text !== "Invalid input");
    expect(foreign).toContain("Input non valido");

    const anyForeign = new RegExp(`"(${foreign.join("|")})"`);
    expect(files.filter(({ text }) => anyForeign.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test.for(["zod", "tldts"])("contain one copy of %s, in the SDK", (name) => {
    const heading = new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, "m");
    const notices = files.filter(({ path }) => path.endsWith("THIRD-PARTY-NOTICES.txt"));
    expect(notices.filter(({ text }) => heading.test(text)).map((file) => file.name)).toEqual(["sdk"]);
  });

  test("map each function of our own to its source in the repository", () => {
    const places = mapped().flatMap(({ path, text, map }) =>
      text.split("\n").flatMap((line, index) => {
        // The bundler appends numbers to names that several files declare; the pattern drops them.
        const named = /^(?:async )?function ([a-zA-Z]+)/.exec(line)?.[1];
        const entry = map.findEntry(index, 0);
        if (named === undefined || !isMapped(entry)) return [];
        const source = sourceLine(entry.originalSource, entry.originalLine);
        return { named, at: `${path}:${index + 1}`, isRight: source.includes(`function ${named}`) };
      }),
    );
    expect(places.length).toBeGreaterThan(4000);
    expect(places.filter(({ isRight, named }) => !isRight && !functionsInTexts.includes(named))).toEqual([]);
  });

  test("do not map code from node_modules", () => {
    let lines = 0;
    for (const { path, text, map } of mapped().filter(({ name }) => name !== "cli")) {
      let isForeign = true;
      for (const [index, line] of text.split("\n").entries()) {
        // The bundler puts a comment with a module's path before its code.
        const module = /^\/\/ (\S*\/node_modules\/\S+|lazy-module:\S+|(?:\.\.\/text\/)?src\/\S+\.ts)$/.exec(
          line,
        )?.[1];
        if (module !== undefined) isForeign = !/^(?:\.\.\/text\/)?src\//.test(module);
        if (!isForeign || /^(?:$|\/\/)/.test(line)) continue;
        expect(isMapped(map.findEntry(index, line.length)), `${path}:${index + 1}`).toBe(false);
        lines += 1;
      }
    }
    expect(lines).toBeGreaterThan(20_000);
  });
});

/** Functions inside template texts: in generated tests and pages. They have no source of their own. */
const functionsInTexts = ["rowOf", "post", "cartHeaders", "say"];

/** Returns the files that have a source map, each with its map. */
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
  // An unmapped segment has the property, but its value is undefined.
  const { originalSource }: { readonly originalSource?: unknown } = entry;
  return originalSource !== undefined;
}

function sourceLine(path: string, index: number): string {
  return readFileSync(join(root, path), "utf8").split("\n")[index] ?? "";
}
