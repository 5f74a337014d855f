import type { CaptureModel } from "../../capture-model.ts";
import { printable } from "../printable.ts";
import { describeSize } from "../describe-size.ts";
import { escapeHtml } from "./escape-html.ts";
import { pageStyle, pageStyleHash } from "./page-style.ts";
import { renderOverview } from "./render-overview.ts";
import { renderStep } from "./render-step.ts";
import { renderNeeds, renderOmissions } from "./render-tables.ts";

/** Nothing is loaded, nothing runs, and no other style than the page's own applies. */
const policy = `default-src 'none'; style-src 'sha256-${pageStyleHash}'; base-uri 'none'; form-action 'none'`;

/**
 * A capture as it was understood, as a page of HTML that needs nothing else: each step as a waterfall of its waves, what is
 * passed on, and what is left out and why. Recorded values are not in it, so it can be shared.
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
