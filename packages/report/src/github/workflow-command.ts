import { printable } from "@bearhug/text/printable";

/** One problem, as GitHub shows it beside the source. */
export interface Annotation {
  readonly level: "error" | "warning";
  readonly title: string;
  readonly message: string;
  /** Null if the problem belongs to no file of the repository. */
  readonly place: AnnotationPlace | null;
}

export interface AnnotationPlace {
  /** From the root of the repository, with forward slashes. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

const mostTitle = 200;
const mostMessage = 1000;

/** Renders the line of a log that GitHub's runner reads as an annotation. */
export function renderAnnotation({ level, title, message, place }: Annotation): string {
  const properties = {
    ...(place !== null && { file: place.file }),
    ...(place?.line !== undefined && { line: String(place.line) }),
    ...(place?.column !== undefined && { col: String(place.column) }),
    title: cut(title, mostTitle),
  };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${level} ${written.join(",")}::${escapeData(cut(message, mostMessage))}`;
}

/** The runner undoes exactly these escapes, so nothing else can end a value or begin another command. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Shortens a text and puts it on one line. Invisible characters are escaped first. */
function cut(text: string, most: number): string {
  const shown = Array.from(printable(text));
  return shown.length <= most ? shown.join("") : `${shown.slice(0, most - 1).join("")}…`;
}
