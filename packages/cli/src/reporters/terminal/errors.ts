import type { ErrorResult, TestResult } from "@bearhug/sdk";
import { formatDuration } from "../../format/duration.ts";
import { formatCount } from "../../format/number.ts";
import { firstExamples } from "../exchange-words.ts";
import { exampleIndent, renderExample } from "./example.ts";
import { renderExchange } from "./exchange.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";

const mostShown = 10;
/** Errors with an exchange that shows one of them: a curl line is long. */
const mostExchanges = 3;

/** Failures and exceptions, the most frequent first, each with an example. */
export function renderErrors(result: TestResult, style: Style): string[] {
  const { errors } = result;
  if (errors.length === 0) return [];
  const shown = errors.toSorted((a, b) => b.count - a.count).slice(0, mostShown);
  const columns = [
    { title: "count", align: "right" },
    { title: "first at", align: "right", keep: 1 },
    { title: "what", shrinks: true },
    { title: "where", shrinks: true },
  ] as const;
  const rows = shown.map((error) => [
    { text: formatCount(error.count), paint: style.bad },
    formatDuration(error.firstAtMs),
    style.text(
      error.cause === null || error.cause === error.code ? error.code : `${error.code} (${error.cause})`,
    ),
    style.text(error.name),
  ]);
  const [titles = "", ...lines] = style.table(columns, rows);
  const exchanges = firstExamples(result, mostExchanges);
  const exchangeOf = ({ code, name }: ErrorResult): string[] =>
    exchanges
      .filter((exchange) => exchange.code === code && exchange.name === name)
      .flatMap((exchange) => renderExchange(exchange, exampleIndent, style));
  return [
    style.heading("Errors"),
    titles,
    ...shown.flatMap((error, index) => [
      lines[index] ?? "",
      ...renderExample(error, style),
      ...exchangeOf(error),
    ]),
    ...renderMore(errors.length - mostShown, style),
  ];
}
