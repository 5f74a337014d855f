import { escapeHtml } from "@bearhug/text/printable";
import type { CaptureModel } from "../../capture-model.ts";
import { printable } from "../../printable.ts";
import { describeSize } from "../summary.ts";
import { renderOverview, renderStep } from "./render-steps.ts";
import { renderNeeds, renderOmissions } from "./render-tables.ts";

/** The only style sheet of the page: the page contains it, and its security policy has the hash. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c2430; --faint: #5b6675; --line: #dde3ea; --paper: #fff; --wave: #f6f8fa;
  --good: #2f7d5b; --moved: #9a6b00; --bad: #b3261e; --none: #7a8594; --accent: #2b5fb4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ef; --faint: #9aa6b5; --line: #303945; --paper: #14181e;
  --wave: #1b2129; --good: #58b98d; --moved: #d9a441; --bad: #f0776d; --none: #8d99a8; --accent: #84aef5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.5rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: 1.15rem; overflow-wrap: anywhere; }
h2 small, .sizes, .think, .more, caption { color: var(--faint); font-weight: 400; }
h2 small { margin-left: .5rem; font-size: .85rem; }
section { margin-top: 2rem; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; font-variant-numeric: tabular-nums; }
caption { text-align: left; }
th, td { padding: .25rem .5rem; text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
thead th { color: var(--faint); font-size: .8rem; border-bottom: 1px solid var(--line); vertical-align: bottom; }
tbody { border-bottom: 1px solid var(--line); }
tbody.wave:nth-of-type(even) { background: var(--wave); }
tbody th { color: var(--faint); }
code, .address { font: 13px/1.5 ui-monospace, monospace; }
.waves { width: 5.5rem; } .status { width: 4.5rem; } .took { width: 5.5rem; text-align: right; }
.line { width: 38%; } .count { width: 4rem; text-align: right; } .name { width: 16rem; }
ul { margin: 0; padding: 0; list-style: none; }
.details { color: var(--faint); font-size: .85rem; }
.details li { padding-left: 1rem; text-indent: -.5rem; }
.code-3 { color: var(--moved); } .code-4, .code-5 { color: var(--bad); font-weight: 600; }
svg { display: block; width: 100%; height: 1.25rem; overflow: visible; }
svg text { fill: var(--faint); font-size: .75rem; text-anchor: end; }
line { stroke: var(--line); }
rect { fill: var(--good); } rect.code-3 { fill: var(--moved); } rect.code-4, rect.code-5 { fill: var(--bad); }
rect.code-0 { fill: var(--none); }
rect.outlasts { fill-opacity: .3; stroke: var(--good); stroke-dasharray: 4 3; }
rect.step { fill: var(--accent); }
.think { margin: 1rem 0 0; padding-left: .5rem; border-left: 3px solid var(--line); }
a { color: inherit; }
@media screen and (max-width: 50rem) { .line, td:has(svg) { display: none; } .name { width: 30%; } }
@page { size: landscape; }
@media print { body { max-width: none; padding: 0; font-size: 12px; } code, .address { font-size: 11px; }
  .line { width: 32%; } .waves, .took, .status { width: 4.5rem; } section, tbody { break-inside: avoid; }
  rect, tbody { print-color-adjust: exact; } }
`;

/** SHA-256 of `pageStyle` in base64: nothing else may style the page. */
export const pageStyleHash = "NOngG0cIfdYAyCVaJ/b7SyEq6yAs5vP79N5LyfYCCYA=";

/** Loads nothing, runs nothing, and allows no style but the page's own. */
const policy = `default-src 'none'; style-src 'sha256-${pageStyleHash}'; base-uri 'none'; form-action 'none'`;

/**
 * Renders a capture as an HTML page that needs no other file: each step as a waterfall of its waves, the
 * extracted values, and what is left out and why. It contains no recorded values, so it can be shared.
 */
export function renderWaterfall(model: CaptureModel): string {
  const origin = escapeHtml(printable(model.origin));
  const body = [
    renderOverview(model.steps),
    ...model.steps.map((step, index) => renderStep(step, model.origin, index + 1)),
    ...renderNeeds(model),
    ...renderOmissions(model.omissions),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Capture of ${origin}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${origin}</h1>
<p class="sizes">${escapeHtml(describeSize(model))}</p>
</header>
<main>
${body.filter((part) => part !== "").join("\n")}
</main>
</body>
</html>
`;
}
