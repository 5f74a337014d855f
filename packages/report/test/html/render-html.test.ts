import { createHash } from "node:crypto";

import fc from "fast-check";
import { expect, test } from "vitest";

import { renderHtml } from "../../src/html/render-html.ts";
import { withTexts } from "../hostile-texts.ts";
import { timed } from "./timed-result.ts";

const assets = { script: "/* script */ 'a < b'", style: "/* style */" };

function dataOf(page: string): string {
  return /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
}

test("the content security policy allows only the page's own script and style", () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(renderHtml(timed, assets))?.[1];
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(policy).toBe(
    `default-src 'none'; script-src ${hash(assets.script)}; style-src ${hash(assets.style)}; base-uri 'none'; form-action 'none'`,
  );
});

test("text from a target never ends the embedded data or becomes markup", () => {
  const hostile = fc.constantFrom(
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "\u2028",
    "\u202e",
    "\0\u001b[2J",
    "&lt;",
  );
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 3 }), (parts) => {
      const page = renderHtml(
        withTexts(timed, () => parts.join("")),
        assets,
      );
      const data = dataOf(page);
      expect(data).not.toContain("<");
      expect(JSON.parse(data)).toHaveProperty("verdict");
      expect(page.match(/<script/g)).toHaveLength(2);
      expect(page.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    }),
    { numRuns: 6 },
  );
});
