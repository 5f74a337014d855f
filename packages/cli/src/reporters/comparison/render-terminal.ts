import type { TestResult } from "@bearhug/sdk";
import type { ComparedFigure, ComparisonAnswer, ComparisonResult } from "@bearhug/sdk/internal";

import { exitCodes } from "../../exit-codes.ts";
import type { Cell, Column, Row } from "../../format/table.ts";
import type { Appearance } from "../../format/terminal.ts";
import { createStyle, type Style } from "../terminal/style.ts";
import { asciiFigures } from "../terminal/symbols.ts";
import { answerWords, describeSides, describeTolerance, figureCells } from "./words.ts";

/** A comparison for a terminal, with a line end after each line. */
export function renderComparison(comparison: ComparisonResult, appearance: Appearance): string {
  const style = createStyle(appearance);
  const lines = [...renderVerdict(comparison, style), "", ...renderFigures(comparison, style)];
  const text = lines.map((line) => `${line}\n`).join("");
  return appearance.unicode ? text : asciiFigures(text);
}

/** The verdict on the first line, with its reasons below. */
function renderVerdict({ verdict, messages, exitCode }: ComparisonResult, style: Style): string[] {
  // Nothing is wrong with the answer, but with its report.
  const isUnwritten = exitCode === exitCodes.reportNotWritten && verdict === "ok";
  const symbol = isUnwritten ? style.symbols.warning : symbolOf(verdict, style);
  const paint = isUnwritten ? style.warning : paintOf(verdict, style);
  const word = style.strong(paint(`${symbol} ${answerWords[verdict]}`));
  return [
    `${word}${exitCode === 0 ? "" : `, exit code ${exitCode}`}`,
    ...messages.flatMap((text) => style.paragraph(style.text(text), { lead: `${style.symbols.dot} ` })),
  ];
}

/** The section of a run that was compared. */
export function comparisonSection({ comparison }: TestResult, style: Style): string[] {
  if (comparison === undefined) return [];
  const { notes } = comparison;
  return [
    ...renderTable(comparison, style),
    ...notes.flatMap((text) => style.paragraph(style.text(text), { lead: `${style.symbols.dot} ` })),
  ];
}

function renderTable(comparison: ComparisonResult, style: Style): string[] {
  return [
    style.heading("Comparison", style.text(describeSides(comparison))),
    ...style.paragraph(describeTolerance(comparison), { paint: style.faint }),
    ...style.table(
      [...columns, { title: "" }],
      comparison.figures.map((figure) => [...rowOf(figure, style), answerCell(figure, style)]),
    ),
  ];
}

function renderFigures(comparison: ComparisonResult, style: Style): string[] {
  const { exploratory, notes } = comparison;
  return [
    ...renderTable(comparison, style),
    ...(exploratory.length === 0
      ? []
      : [
          "",
          style.heading("Exploratory", "decides nothing: of many figures, some differ by chance"),
          ...style.table(
            columns,
            exploratory.map((figure) => rowOf(figure, style)),
          ),
        ]),
    ...(notes.length === 0 ? [] : [""]),
    ...notes.flatMap((text) => style.paragraph(style.text(text), { lead: `${style.symbols.dot} ` })),
  ];
}

const columns: readonly Column[] = [
  { title: "", shrinks: true },
  { title: "base", align: "right", keep: 3 },
  { title: "new", align: "right", keep: 2 },
  { title: "change", align: "right" },
  { title: "interval", keep: 1 },
];

function rowOf(figure: ComparedFigure, style: Style): Row {
  const cells = figureCells(figure);
  return [style.text(cells.figure), cells.base, cells.new, cells.change, cells.interval];
}

function answerCell({ answer }: ComparedFigure, style: Style): Cell {
  if (answer === null) return { text: "" };
  return { text: answerWords[answer], paint: paintOf(answer, style) };
}

function paintOf(answer: ComparisonAnswer, style: Style): (text: string) => string {
  return { regressed: style.bad, ok: style.good, undecided: style.warning }[answer];
}

function symbolOf(answer: ComparisonAnswer, { symbols }: Style): string {
  return { regressed: symbols.failed, ok: symbols.passed, undecided: symbols.unknown }[answer];
}
