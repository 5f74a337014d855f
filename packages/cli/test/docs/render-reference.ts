import type { Declaration, Member } from "./read-declarations.ts";

/** A chapter of a reference page: declarations that belong together, by their names. */
export interface Chapter {
  readonly title: string;
  readonly words: string;
  /** True for options, which have defaults and may be required. */
  readonly isGiven: boolean;
  readonly names: readonly string[];
}

/** Renders a reference page from the comments of types, before formatting. */
export function renderReference(
  introduction: string,
  chapters: readonly Chapter[],
  declarations: ReadonlyMap<string, Declaration>,
): string {
  const parts = chapters.flatMap(({ title, words, isGiven, names }) => [
    `## ${title}`,
    words,
    ...names.flatMap((name) => renderDeclaration(find(declarations, name), declarations, isGiven)),
  ]);
  return [introduction, ...parts].filter((part) => part !== "").join("\n\n");
}

/** Renders a table of the errors that have a code, with their comments. */
export function renderErrors(
  declarations: ReadonlyMap<string, Declaration>,
  names: readonly string[],
): string {
  const rows = names
    .map((name) => find(declarations, name))
    .flatMap(({ name, code, text }) => (code === null ? [] : [[`\`${name}\``, `\`${code}\``, inCell(text)]]));
  return renderTable(["class", "`code`", "meaning"], rows);
}

/** Renders a table of named types and their definitions. */
export function renderTypes(
  declarations: ReadonlyMap<string, Declaration>,
  names: readonly string[],
): string {
  const rows = names
    .map((name) => find(declarations, name))
    .map(({ name, type, text }) => [`\`${name}\``, `\`${inCell(type)}\``, inCell(text)]);
  return renderTable(["name", "type", "meaning"], rows);
}

/**
 * Returns the names of the types that a document consists of, depth-first: its own, then those of its
 * members.
 */
export function namesWithin(
  name: string,
  declarations: ReadonlyMap<string, Declaration>,
  known: readonly string[] = [],
): string[] {
  const declaration = declarations.get(name);
  if (declaration === undefined || known.includes(name)) return [...known];
  const texts = [declaration.type, ...declaration.parents, ...declaration.members.map(({ type }) => type)];
  const used = texts.flatMap((text) => text.match(/\b[A-Z]\w+/g) ?? []);
  return used.reduce<string[]>((names, next) => namesWithin(next, declarations, names), [...known, name]);
}

function find(declarations: ReadonlyMap<string, Declaration>, name: string): Declaration {
  const found = declarations.get(name);
  if (found === undefined) throw new TypeError(`there is no type ${name}`);
  return found;
}

function renderDeclaration(
  declaration: Declaration,
  declarations: ReadonlyMap<string, Declaration>,
  isGiven: boolean,
): string[] {
  const { name, text, members } = declaration;
  const parents = declaration.parents.filter((parent) => declarations.has(parent));
  const also =
    parents.length === 0
      ? ""
      : `Also has the members of ${parents.map((parent) => `\`${parent}\``).join(" and ")}.`;
  const titles = isGiven ? ["option", "type", "default", "meaning"] : ["member", "type", "meaning"];
  const rows = members.map((member) => [
    `\`${inCell(member.name)}\``,
    member.type === "" ? "" : `\`${inCell(member.type)}\``,
    ...(isGiven ? [defaultText(member)] : []),
    inCell(member.text),
  ]);
  return [
    `### ${name}`,
    [text, also].filter((part) => part !== "").join(" "),
    rows.length === 0 ? "" : renderTable(titles, rows),
  ];
}

function defaultText(member: Member): string {
  if (member.default !== "") return inCell(member.default);
  return member.isOptional || member.type === "" ? "" : "required";
}

function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, titles.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|");
}
