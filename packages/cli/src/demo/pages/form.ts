import { escapeHtml } from "@bearhug/text/printable";
import { privateHtml, type Reply } from "../reply.ts";
import { layout } from "./layout.ts";

/** Renders hidden form fields. */
export function hiddenFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join("");
}

/** The reply to a form whose token is not the session's. */
export const foreignForm: Reply = privateHtml(
  layout(
    "Refused",
    `    <h1>403: whose form is this?</h1>
    <p>Its <code>csrf</code> token does not belong to your session. Go back, reload the form and send it again.</p>`,
  ),
  403,
);
