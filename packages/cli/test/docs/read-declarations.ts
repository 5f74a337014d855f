import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";

/** A property or a call of an interface or a class. */
export interface Member {
  /** `vus`, `connection.protocol`, or a whole call: `integer(min: number, max: number): number`. */
  readonly name: string;
  /** Its type; empty for a call. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly text: string;
  /** The text of `@default`; empty if there is none. */
  readonly default: string;
}

/** An interface, a class, or a type with a name. */
export interface Declaration {
  readonly name: string;
  readonly text: string;
  /** The interfaces whose members it inherits. */
  readonly parents: readonly string[];
  readonly members: readonly Member[];
  /** The `code` of an error class; null for everything else. */
  readonly code: string | null;
  /** The type that the name stands for; empty for interfaces and classes. */
  readonly type: string;
}

/**
 * Parses all interfaces, classes and named types that the files of a folder declare, without type-checking
 * them.
 */
export function readDeclarations(folder: string): Map<string, Declaration> {
  const files = globSync("**/*.ts", { cwd: folder });
  const declarations = files.flatMap((file) => {
    const source = ts.createSourceFile(
      file,
      spellLists(readFileSync(join(folder, file), "utf8")),
      ts.ScriptTarget.Latest,
      true,
    );
    return source.statements.filter(
      (node) =>
        ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node),
    );
  });
  return new Map(declarations.map((node) => [node.name?.text ?? "", readDeclaration(node)]));
}

/** Replaces `(typeof list)[number]` by the members of the list if the same source declares it. */
export function spellLists(source: string): string {
  return source.replaceAll(/\(typeof (\w+)\)\[number\]/g, (type, name: string) => {
    const list = new RegExp(`const ${name} = \\[([^\\]]*)\\] as const`).exec(source)?.[1];
    return list?.match(/"[^"]+"/g)?.join(" | ") ?? type;
  });
}

function readDeclaration(
  node: ts.InterfaceDeclaration | ts.ClassDeclaration | ts.TypeAliasDeclaration,
): Declaration {
  const name = node.name?.text ?? "";
  const text = textOf(node);
  if (ts.isTypeAliasDeclaration(node))
    return { name, text, parents: [], members: [], code: null, type: shorten(node.type.getText()) };
  const parents = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => expression.getText()),
  );
  const members = [...node.members].flatMap((member) => readMember(member, "", node.typeParameters ?? []));
  const code = ts.isClassDeclaration(node) ? members.find((member) => member.name === "code")?.default : null;
  return { name, text, parents, members, code: code ?? null, type: "" };
}

type Parameters = readonly ts.TypeParameterDeclaration[];

function readMember(
  node: ts.TypeElement | ts.ClassElement,
  prefix: string,
  parameters: Parameters,
): Member[] {
  const text = textOf(node);
  if (ts.isMethodSignature(node) || ts.isCallSignatureDeclaration(node))
    return [{ name: shorten(node.getText()), type: "", isOptional: false, text, default: "" }];
  if (ts.isPropertyDeclaration(node) && node.initializer !== undefined)
    return [
      { name: node.name.getText(), type: "", isOptional: false, text, default: unquoted(node.initializer) },
    ];
  if (!ts.isPropertySignature(node) || node.type === undefined) return [];
  const name = prefix + unquoted(node.name);
  const member = {
    name,
    type: typeText(node.type, parameters),
    isOptional: node.questionToken !== undefined,
    text,
    default: defaultOf(node),
  };
  const parts = ts.isTypeLiteralNode(node.type)
    ? node.type.members.flatMap((part) => readMember(part, `${name}.`, parameters))
    : [];
  return parts.length === 0 ? [member] : [...(text === "" ? [] : [{ ...member, type: "object" }]), ...parts];
}

/**
 * Renders a type without details for the compiler: a mapped type is an object, and "or a function" is in the
 * text.
 */
function typeText(node: ts.TypeNode, parameters: Parameters): string {
  // A type parameter is inferred; its constraint is what an author may write.
  const inferred = parameters.find(({ name }) => name.text === node.getText());
  if (inferred !== undefined) return inferred.constraint?.getText() ?? "";
  const isMapped = (part: ts.TypeNode): boolean =>
    ts.isMappedTypeNode(part) || (ts.isIntersectionTypeNode(part) && part.types.some(isMapped));
  if (isMapped(node)) return "object";
  if (!ts.isUnionTypeNode(node)) return shorten(node.getText());
  const forms = node.types.filter(
    (part) => !(ts.isTypeReferenceNode(part) && ["FromEnv", "Worked"].includes(part.typeName.getText())),
  );
  return forms.map((part) => (isMapped(part) ? "object" : shorten(part.getText()))).join(" | ");
}

function shorten(text: string): string {
  return text
    .replaceAll(/\/\*\*.*?\*\//gs, "")
    .replaceAll(/\breadonly /g, "")
    .replaceAll(/\bNoInfer<(\w+)>/g, "$1")
    .replaceAll(/\s+/g, " ")
    .replace(/^\| /, "")
    .replace(/;$/, "")
    .trim();
}

function textOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  return linkless(ts.getTextOfJSDocComment(comment?.comment) ?? "");
}

function defaultOf(node: ts.Node): string {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === "default");
  return linkless(ts.getTextOfJSDocComment(tag?.comment) ?? "");
}

function linkless(text: string): string {
  return text
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function unquoted(node: ts.Node): string {
  return node.getText().replaceAll(/^"|"$/g, "");
}
