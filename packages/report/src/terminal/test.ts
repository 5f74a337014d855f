import { basename } from "node:path";

import type { TestResult } from "@bearhug/sdk";

import { describeRun, type Piece } from "../model/run-facts.ts";
import type { Style } from "./style.ts";

const labelWidth = 10;

/** Describes the run: the test, its target, its start, its duration and its load. */
export function renderTest(result: TestResult, style: Style): string[] {
  const { name, file } = result.test;
  return describeRun(result).flatMap(({ label, pieces }, at, all) => {
    const shown = all[at - 1]?.label === label ? "" : label;
    return style
      .pieces(
        // A test that is named after its file needs no name.
        pieces
          .slice(label === "test" && file !== null && basename(file) === name ? 1 : 0)
          .map((piece) => writePiece(piece, style)),
        { lead: shown.padEnd(labelWidth), hang: label === "load" ? 2 : 0 },
      )
      .map((line) => line.replace(shown, () => style.faint(shown)));
  });
}

function writePiece(piece: Piece, style: Style): string {
  if (typeof piece === "string") return piece;
  return "name" in piece ? `${style.text(piece.name)}${piece.after ?? ""}` : style.text(piece.sentence);
}
