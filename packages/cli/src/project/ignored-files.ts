import type { PlannedFile } from "./planned-file.ts";
import type { Project } from "./project.ts";

/** Packages, output of the tutorial's commands, and secrets. */
const patterns = ["node_modules/", "load-result/", "/report.html", "/result.json", "/junit.xml", ".env"];

/**
 * Plans the `.gitignore` of a project's folder: adds the patterns that neither it nor the repository's has.
 */
export function planIgnoredFiles({ prefix, read }: Pick<Project, "prefix" | "read">): PlannedFile[] {
  const path = `${prefix}.gitignore`;
  const existing = read(path);
  const above = prefix === "" ? "" : (read(".gitignore") ?? "");
  const inherited = patternsOf(above).filter((pattern) => !pattern.startsWith("/"));
  const present = [...inherited, ...patternsOf(existing ?? "")].map(expressionOf);
  const missing = patterns.filter((pattern) => !present.some((one) => one.test(nameOf(pattern))));
  if (missing.length === 0) return [{ kind: "kept", path, why: "has everything already" }];
  if (existing === null) return [{ kind: "new", path, text: linesOf(missing, "\n") }];
  const eol = existing.includes("\r\n") ? "\r\n" : "\n";
  const gap = existing === "" || existing.endsWith("\n") ? "" : eol;
  return [{ kind: "changed", path, text: existing + gap + linesOf(missing, eol), added: missing.join(", ") }];
}

function linesOf(texts: readonly string[], eol: string): string {
  return texts.map((text) => text + eol).join("");
}

function patternsOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== "" && !/^[#!]/.test(line));
}

/** Returns the file or folder that a pattern without wildcards ignores. */
function nameOf(pattern: string): string {
  return pattern.replaceAll("/", "");
}

/**
 * Returns an expression for the names that a pattern ignores in its own folder; a pattern for subfolders
 * matches none.
 */
function expressionOf(pattern: string): RegExp {
  const name = pattern.replace(/^(?:\*\*)?\//, "").replace(/\/$/, "");
  const source = name.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\*+/g, "[^/]*");
  return new RegExp(`^${source.replaceAll("?", "[^/]")}$`);
}
