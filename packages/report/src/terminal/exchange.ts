import { cut } from "@bearhug/sdk/internal";
import type { FailedExchange } from "@bearhug/sdk/result";

import { curlCommand } from "../curl-command.ts";
import { describeExchange } from "../exchange-words.ts";
import type { Style } from "./style.ts";

const mostBodyColumns = 200;

/** A failed exchange below its error: how it ended, the beginning of the answer, and how to send it again. */
export function renderExchange(exchange: FailedExchange, indent: number, style: Style): string[] {
  const { command, notes } = curlCommand(exchange);
  const body = exchange.response?.body?.text?.trim() ?? "";
  const paragraph = (text: string, lead = ""): string[] =>
    style.paragraph(text, { indent, lead, paint: style.faint });
  return [
    ...paragraph(style.text(describeExchange(exchange)), "example: "),
    ...(body === ""
      ? []
      : paragraph(cut(style.text(body), mostBodyColumns, style.symbols.ellipsis), "body: ")),
    // Not wrapped: it is to be copied in one piece.
    `${" ".repeat(indent)}${style.text(command)}`,
    ...notes.flatMap((note) => paragraph(style.text(note))),
  ];
}
