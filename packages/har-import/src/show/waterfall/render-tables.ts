import { escapeHtml } from "@bearhug/text/printable";
import type { CaptureModel, Omission } from "../../capture-model.ts";
import { plural, printable } from "../../printable.ts";
import { describeFindings, needsOf } from "../needs.ts";
import { groupOmissions, type OmissionGroup } from "../summary.ts";

const maxOfGroup = 20;

/** Renders what a test needs besides requests: variables, cookies, data, notes. Nothing for an empty list. */
export function renderNeeds(model: CaptureModel): string[] {
  return [
    ...needsOf(model).flatMap(({ title, rows }) => renderPairs(title, rows)),
    ...renderList("Notes", model.notes),
    ...renderList("Not understood", describeFindings(model.findings)),
  ];
}

/** Renders the omitted requests by host and reason. */
export function renderOmissions(omissions: readonly Omission[]): string[] {
  if (omissions.length === 0) return [];
  const rows = groupOmissions(omissions).map(renderGroup);
  return [
    `<section>
<h2>Skipped<small>${plural(omissions.length, "request")}</small></h2>
<table>
<thead><tr><th scope="col" class="count">Count</th><th scope="col" class="name">Host</th>\
<th scope="col" class="name">Reason</th><th scope="col">Requests</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</section>`,
  ];
}

function renderGroup({ host, reason, count, requests }: OmissionGroup): string {
  const shown = requests.slice(0, maxOfGroup);
  const items = shown.map(
    ({ text, count }) => `<li>${escapeHtml(count > 1 ? `${text} (${count} times)` : text)}</li>`,
  );
  const more = count - shown.reduce((sum, request) => sum + request.count, 0);
  if (more > 0) items.push(`<li class="more">and ${more} more</li>`);
  return (
    `<tr><td class="count">${count}</td><th scope="row">${escapeHtml(host)}</th>` +
    `<td>${escapeHtml(reason)}</td><td><ul class="address">${items.join("")}</ul></td></tr>`
  );
}

function renderPairs(title: string, pairs: readonly (readonly [string, string])[]): string[] {
  if (pairs.length === 0) return [];
  const rows = pairs.map(
    ([name, text]) =>
      `<tr><th scope="row" class="name"><code>${show(name)}</code></th><td>${show(text)}</td></tr>`,
  );
  return [`<section>\n<h2>${title}</h2>\n<table><tbody>\n${rows.join("\n")}\n</tbody></table>\n</section>`];
}

function renderList(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const items = texts.map((text) => `<li>${show(text)}</li>`);
  return [`<section>\n<h2>${title}</h2>\n<ul>\n${items.join("\n")}\n</ul>\n</section>`];
}

function show(text: string): string {
  return escapeHtml(printable(text, 1000));
}
