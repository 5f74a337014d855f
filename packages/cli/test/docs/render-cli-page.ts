import type { Command, Option } from "commander";

import { isRepeatable, variableOf } from "../../src/commands/command-line/variables.ts";

/** A row of an option table: its cells by column title. */
type Row = Readonly<Record<string, string>>;

interface Section {
  /** The heading without `## `; empty for the text above the first one. */
  readonly heading: string;
  readonly text: string;
}

const optionTable = /^\| option .*(?:\n\|.*)*/m;

/**
 * Updates docs/cli.md from the current page and the commands. The meanings of options, written by hand, stay;
 * flags, variables and defaults come from the commands. Missing options and commands are added with the texts
 * of their help, as rows or as sections with a table. Rows of options that no longer exist are dropped.
 */
export function renderCliPage(page: string, commands: readonly Command[]): string {
  const sections = addMissingSections(readSections(page), commands);
  return sections
    .map((section) => {
      const users = commands.filter((command) => sectionsOf(command, sections).includes(section));
      const own = users.find((command) => isOwn(section, command));
      const missing =
        own === undefined
          ? []
          : missingOptions(own, sectionsOf(own, sections)).map((option) => ({ own, option }));
      return { ...section, text: renderTable(section.text, users, missing) };
    })
    .map(({ heading, text }) => (heading === "" ? text : `## ${heading}\n${text}`))
    .join("");
}

function readSections(page: string): Section[] {
  const [top = "", ...others] = page.split(/^## /m);
  return [
    { heading: "", text: top },
    ...others.map((part) => {
      const [heading = ""] = part.split("\n", 1);
      return { heading, text: part.slice(heading.length + 1) };
    }),
  ];
}

/** Adds sections for new commands before the section "Variables". */
function addMissingSections(sections: readonly Section[], commands: readonly Command[]): Section[] {
  const added = commands
    .filter((command) => !sections.some((section) => isOwn(section, command)))
    .map((command) => ({
      heading: `\`${command.name()}\``,
      text: `\n\`bearhug ${command.name()} ${command.usage()}\`: ${command.description()}\n\n`,
    }));
  const place = sections.findIndex(({ heading }) => heading === "Variables");
  return [...sections.slice(0, place), ...added, ...sections.slice(place)];
}

function isOwn({ heading }: Section, command: Command): boolean {
  return heading === `\`${command.name()}\``;
}

/** Returns the command's own section, and the sections with shared options that it links to. */
function sectionsOf(command: Command, sections: readonly Section[]): Section[] {
  const own = sections.find((section) => isOwn(section, command));
  if (own === undefined) return [];
  const shared = sections.filter(
    ({ heading, text }) =>
      optionTable.test(text) && own.text.includes(`](#${heading.toLowerCase().replaceAll(" ", "-")})`),
  );
  return [own, ...shared];
}

function missingOptions(command: Command, sections: readonly Section[]): Option[] {
  const documented = sections.flatMap(({ text }) => readRows(text)).map(flagsOf);
  return command.options.filter((option) => !option.hidden && !documented.includes(option.flags));
}

function renderTable(
  text: string,
  users: readonly Command[],
  missing: readonly { readonly own: Command; readonly option: Option }[],
): string {
  const kept = readRows(text).flatMap((row) => {
    const found = users
      .flatMap((own) => own.options.map((option) => ({ own, option })))
      .find(({ option }) => !option.hidden && option.flags === flagsOf(row));
    return found === undefined ? [] : [writeRow(found.own, found.option, row["meaning"] ?? "")];
  });
  const rows = [
    ...kept,
    ...missing.map(({ own, option }) => writeRow(own, option, option.description.replaceAll("|", "\\|"))),
  ];
  if (rows.length === 0) return text;
  const titles = ["option", "variable", "default", "meaning"].filter(
    (title) => title !== "variable" || rows.some((row) => row[title] !== ""),
  );
  const lines = [
    titles,
    titles.map(() => "---"),
    ...rows.map((row) => titles.map((title) => row[title] ?? "")),
  ];
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return optionTable.test(text) ? text.replace(optionTable, () => table) : `${text}${table}\n\n`;
}

function readRows(text: string): Row[] {
  const [table = ""] = optionTable.exec(text) ?? [];
  const [titles = [], , ...rows] = table.split("\n").map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
  return rows.map((cells) => Object.fromEntries(titles.map((title, column) => [title, cells[column] ?? ""])));
}

function writeRow(command: Command, option: Option, meaning: string): Row {
  const variable = variableOf(command, option);
  const [, shownDefault = ""] =
    /\((?:repeatable, )?default: (.*?)(?:, env: \w+)?\)$/.exec(
      command.createHelp().optionDescription(option),
    ) ?? [];
  return {
    option: option.flags
      .split(", ")
      .map((flag) => `\`${flag.replaceAll("|", "\\|")}\``)
      .join(", "),
    variable: variable === null ? "" : `\`${variable}\``,
    default: shownDefault.replaceAll(/--[\w-]+/g, (flag) => `\`${flag}\``),
    meaning: isRepeatable(option) && !meaning.includes("repeatable") ? `${meaning}; repeatable` : meaning,
  };
}

/** Returns the flags as commander formats them: `-c, --connections <n>`. */
function flagsOf(row: Row): string {
  return (row["option"] ?? "").replaceAll("`", "").replaceAll("\\|", "|");
}
