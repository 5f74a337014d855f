import { printable } from "@bearhug/text/printable";

/** An XML element. Its attributes and texts may hold anything: they are escaped when it is written. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** The text of an element that has no children. */
  readonly text?: string;
  readonly children?: readonly XmlElement[];
}

/** Renders an XML 1.0 document, one element per line. */
export function renderXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderElement(root, "")}\n`;
}

function renderElement({ name, attributes = {}, text, children = [] }: XmlElement, indent: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeLine(String(value))}"`);
  const start = `${indent}<${name}${written.join("")}`;
  if (text !== undefined) return `${start}>${text.split(/\r?\n/).map(escapeLine).join("\n")}</${name}>`;
  if (children.length === 0) return `${start}/>`;
  const inside = children.map((child) => renderElement(child, `${indent}  `));
  return [`${start}>`, ...inside, `${indent}</${name}>`].join("\n");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * Escapes a text on one line. Characters that XML 1.0 forbids even as entities, such as U+0001, are shown as
 * escapes.
 */
function escapeLine(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
