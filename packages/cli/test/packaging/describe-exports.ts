import { readFileSync } from "node:fs";
import { dirname, sep } from "node:path";
import ts from "typescript";

import { spellLists } from "../docs/read-declarations.ts";

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  isolatedDeclarations: true,
  removeComments: true,
  noLib: true,
  types: [],
};

/**
 * Describes the exports of an entry point as TypeScript without comments: the declaration of each exported
 * name, then of the other types of the package that these refer to.
 */
export function describeExports(entry: string): string {
  const program = readPackage(entry);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (source === undefined || module === undefined) throw new TypeError(`${entry} is not a module`);

  const exported = new Set(checker.getExportsOfModule(module).map((symbol) => originOf(symbol, checker)));
  const reached = new Set(exported);
  // The loop also visits symbols that it adds to the set on the way.
  for (const symbol of reached) {
    for (const statement of statementsOf(symbol)) {
      if (namesValues(statement)) continue;
      for (const used of symbolsIn(statement, checker)) reached.add(used);
    }
  }
  const helpers = describe(new Set([...reached].filter((symbol) => !exported.has(symbol))), checker);
  return [
    ...source.statements.filter(isOfAnotherPackage).map((statement) => statement.getText()),
    ...describe(exported, checker),
    ...(helpers.length === 0 ? [] : ["// Not exported, but part of the declarations above:"]),
    ...helpers.map((text) => text.replace(/^export /gm, "")),
  ].join("\n\n");
}

function describe(symbols: ReadonlySet<ts.Symbol>, checker: ts.TypeChecker): string[] {
  return [...symbols]
    .map((symbol) => ({ name: symbol.name, statements: statementsOf(symbol) }))
    .filter(({ statements }) => statements.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ statements }) => statements.map((statement) => write(statement, checker)).join("\n"));
}

/**
 * Renders a statement. A type computed from a constant is written out, so that the constant need not be
 * shown.
 */
function write(statement: ts.Statement, checker: ts.TypeChecker): string {
  if (!namesValues(statement)) return statement.getText();
  const { NoTruncation, InTypeAlias } = ts.TypeFormatFlags;
  const type = checker.getTypeAtLocation(statement);
  const text = checker.typeToString(type, undefined, NoTruncation | InTypeAlias);
  // One name a line, so that a new one changes only its own line of the diff.
  const lines = text.replaceAll(" | ", "\n    | ").replaceAll("; readonly", ";\n    readonly");
  return `export type ${statement.name.text} = ${lines};`;
}

function namesValues(statement: ts.Statement): statement is ts.TypeAliasDeclaration {
  return ts.isTypeAliasDeclaration(statement) && /typeof (?!globalThis)/.test(statement.getText());
}

/** The only library types that the types of constants are computed from. */
const arrays = {
  file: "arrays.d.ts",
  text: "interface Array<T> { [index: number]: T } interface ReadonlyArray<T> { readonly [index: number]: T }",
};

/** Reads the declarations of one package, without those of other packages. */
function readPackage(entry: string): ts.Program {
  const host = ts.createCompilerHost(options);
  const isOwn = (file: string): boolean => file.startsWith(dirname(entry) + sep);
  host.fileExists = (file) => isOwn(file) && ts.sys.fileExists(file);
  host.getSourceFile = (file, version) => {
    if (file === arrays.file) return ts.createSourceFile(file, arrays.text, version, true);
    if (!isOwn(file)) return undefined;
    const text = spellLists(readFileSync(file, "utf8"));
    const { outputText } = ts.transpileDeclaration(text, { fileName: file, compilerOptions: options });
    return ts.createSourceFile(file, outputText, version, true);
  };
  return ts.createProgram([entry, arrays.file], options, host);
}

/**
 * Returns the top-level statements that declare a symbol, one per overload; none for a parameter or a member.
 */
function statementsOf(symbol: ts.Symbol): ts.Statement[] {
  return (symbol.declarations ?? []).flatMap((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return ts.isStatement(node) && ts.isSourceFile(node.parent) ? [node] : [];
  });
}

function originOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isOfAnotherPackage(statement: ts.Statement): boolean {
  if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) return false;
  return ts.isStringLiteral(statement.moduleSpecifier) && !statement.moduleSpecifier.text.startsWith(".");
}

function symbolsIn(node: ts.Node, checker: ts.TypeChecker): ts.Symbol[] {
  const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
  const found = symbol === undefined ? [] : [originOf(symbol, checker)];
  ts.forEachChild(node, (child) => {
    found.push(...symbolsIn(child, checker));
  });
  return found;
}
