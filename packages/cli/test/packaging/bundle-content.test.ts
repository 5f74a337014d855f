import { describe, expect, test } from "vitest";
import * as z from "zod";

import { bundleOnce } from "../../../../tools/bundle-once.mjs";

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
});
