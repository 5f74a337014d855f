import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../../tools/vitest/any-character.ts";
import { renderWaterfall } from "../../../src/index.ts";
import { pageStyle, pageStyleHash } from "../../../src/show/waterfall/render-waterfall.ts";
import { modelFullOf } from "../hostile-model.ts";
import { modelOf, requestOf, shopModel, stepOf } from "../models.ts";

/** Matches every tag of the page, whose attributes contain no quotes or angle brackets. */
const tag = /<(?:!doctype html|\/?[a-z][a-z\d]*(?: [a-z][a-zA-Z\d-]*="[^"<>]*")*\/?)>/g;

/** Returns the text between the tags, without the style sheet. */
function textOf(html: string): string {
  return html.replace(`<style>${pageStyle}</style>`, "").replace(tag, "\n");
}

test("the content security policy allows the page's own style, and nothing else", () => {
  expect(pageStyleHash).toBe(createHash("sha256").update(pageStyle).digest("base64"));
  const html = renderWaterfall(shopModel());
  expect(html).toContain(`content="default-src 'none'; style-src 'sha256-${pageStyleHash}';`);
  expect(html).toContain(`<style>${pageStyle}</style>`);
  expect(html).not.toMatch(/<script|<img|<link|<iframe|<object| on[a-z]+=| style=|javascript:/i);
  expect([...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target]) => target)).toEqual([
    "#step-1",
    "#step-2",
    "#step-3",
  ]);
});

test("each step has its waves, and a bar at the recorded time of each request", () => {
  const html = renderWaterfall(shopModel());
  expect(html.match(/<section id="step-\d">/g)).toHaveLength(3);
  expect(html.match(/<tbody class="wave">/g)).toHaveLength(5);
  expect(html).toContain(`<rect class="code-2" x="16.13%" y="25%" width="4.84%" height="50%" rx="2"/>`);
  expect(html).toContain(`<rect class="code-2 outlasts" x="16.29%"`);
  expect(html).toContain(`<rect class="code-4" x="74.19%"`);
  expect(html).toContain(`aria-label="from 920 ms to 1 s"`);
});

test("extracted values, variables and omissions are listed", () => {
  const text = textOf(renderWaterfall(shopModel())).replace(/\n+/g, "\n");
  for (const expected of [
    "\nGET /\nextracts {csrf}: form field &quot;csrf_token&quot;\n",
    "\nPOST /login?next\nfollows 1 redirect\nsends form user={LOGIN_USER}, password={LOGIN_PASSWORD}",
    "\nthen 4.2 s of think time\n",
    "\nLOGIN_PASSWORD\nThe password that POST /login sends.\n",
    "\nlocale\nas recorded for https://shop.test\n",
    "\nsearches\n2 rows of q\n",
    "\n3\nwww.google-analytics.com\nanalytics or advertising\nGET /analytics.js\nPOST /g/collect?v&amp;tid (2 times)\n",
  ])
    expect(text).toContain(expected);
});

test("a capture without times has a page without bars", () => {
  const step = stepOf([[requestOf("/", { recorded: null })]], { recordedMs: null });
  const html = renderWaterfall(modelOf({ steps: [step] }));
  expect(html).toContain("page, time not recorded");
  expect(html).not.toContain("<rect");
});

test("text from a capture is always text of the page, never markup", () => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom("<", ">", '"', "'", "&", "/", "a", "=", " ", "`", "!", "-") }),
    fc.constantFrom("</style><script>alert(1)</script>", '" onload="x', "<!--", "]]>", "javascript:x"),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const rest = textOf(renderWaterfall(modelFullOf(text)));
      expect(rest).not.toMatch(/[<>]/);
      expect(rest.replace(/&(amp|lt|gt|quot|#39);/g, "")).not.toContain("&");
    }),
    { numRuns: 40 },
  );
});
