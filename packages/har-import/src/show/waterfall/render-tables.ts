import { escapeHtml } from "@bearhug/text/printable";
import type { CaptureModel, Omission } from "../../capture-model.ts";
import { plural, printable } from "../../printable.ts";
import { showName } from "../../secrets/mask-text.ts";
import { isDynamic, showValue } from "../show-request.ts";
import { groupOmissions, type OmissionGroup } from "../summary.ts";

const maxFindings = 20;
const maxOfGroup = 20;

/** Renders what a test needs besides requests: variables, cookies, data, notes. Nothing for an empty list. */
export function renderNeeds({ variables, cookies, tables, notes, findings }: CaptureModel): string[] {
  const more = findings.length - maxFindings;
  return [
    ...renderPairs(
      "Set these before running",
      variables.filter(({ isOptional }) => !isOptional).map(({ name, description }) => [name, description]),
    ),
    ...renderPairs(
      "Optional variables",
      variables.filter(({ isOptional }) => isOptional).map(({ name, description }) => [name, description]),
    ),
    ...renderPairs(
      "Cookies from before the recording",
      cookies.map(({ name, origin, value }) => [
        showName(name),
        `${isDynamic(value) ? showValue(value) : "as recorded"} for ${origin}`,
      ]),
    ),
    ...renderPairs(
      "Data",
      tables.map(({ name, columns, rows }) => [
        name,
        `${plural(rows.length, "row")} of ${columns.map((column) => showName(column)).join(", ")}`,
      ]),
    ),
    ...renderList("Notes", notes),
    ...renderList("Not understood", [
      ...findings.slice(0, maxFindings).map(({ path, problem }) => `${path}: ${problem}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ]),
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
