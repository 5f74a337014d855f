import type { CaptureModel } from "../capture-model.ts";
import type { Finding } from "../capture.ts";
import { plural } from "../printable.ts";
import { showName } from "../secrets/mask-text.ts";
import { isDynamic, showValue } from "./show-request.ts";

/** Things of one kind that a test needs besides requests, by name. */
interface Needs {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}

/** Lists what a test needs besides requests: variables, cookies, data. */
export function needsOf({ variables, cookies, tables }: CaptureModel): Needs[] {
  const variablesThat = (areOptional: boolean): Needs["rows"] =>
    variables
      .filter(({ isOptional }) => isOptional === areOptional)
      .map(({ name, description }) => [name, description]);
  return [
    { title: "Set these before running", rows: variablesThat(false) },
    { title: "Optional variables", rows: variablesThat(true) },
    {
      title: "Cookies from before the recording",
      rows: cookies.map(({ name, origin, value }) => [
        showName(name),
        `${isDynamic(value) ? showValue(value) : "as recorded"} for ${origin}`,
      ]),
    },
    {
      title: "Data",
      rows: tables.map(({ name, columns, rows }) => [
        name,
        `${plural(rows.length, "row")} of ${columns.map((column) => showName(column)).join(", ")}`,
      ]),
    },
  ];
}

const maxFindings = 20;

/** Lists the parts of a file that could not be read. */
export function describeFindings(findings: readonly Finding[]): string[] {
  const more = findings.length - maxFindings;
  return [
    ...findings.slice(0, maxFindings).map(({ path, problem }) => `${path}: ${problem}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}
