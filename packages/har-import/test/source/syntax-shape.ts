import ts from "typescript";

/** The kinds of syntax that a written test may contain. */
const allowedKinds: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.SourceFile,
  ts.SyntaxKind.EndOfFileToken,
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ImportClause,
  ts.SyntaxKind.NamedImports,
  ts.SyntaxKind.ImportSpecifier,
  ts.SyntaxKind.ImportAttributes,
  ts.SyntaxKind.ImportAttribute,
  ts.SyntaxKind.ExportAssignment,
  ts.SyntaxKind.VariableStatement,
  ts.SyntaxKind.VariableDeclarationList,
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.ObjectBindingPattern,
  ts.SyntaxKind.ArrayBindingPattern,
  ts.SyntaxKind.BindingElement,
  ts.SyntaxKind.OmittedExpression,
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.ExpressionStatement,
  ts.SyntaxKind.CallExpression,
  ts.SyntaxKind.NewExpression,
  ts.SyntaxKind.AwaitExpression,
  ts.SyntaxKind.PropertyAccessExpression,
  ts.SyntaxKind.ElementAccessExpression,
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.EqualsGreaterThanToken,
  ts.SyntaxKind.AsyncKeyword,
  ts.SyntaxKind.Block,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.DotDotDotToken,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.ShorthandPropertyAssignment,
  ts.SyntaxKind.SpreadAssignment,
  ts.SyntaxKind.ComputedPropertyName,
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.PrefixUnaryExpression,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.BinaryExpression,
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

/** Matches the generated code that reads uploaded files, whose content was not recorded. */
const files = /^const files = new Map<string, Uint8Array>\(\);$/;
const contentOf =
  /^const contentOf = \(path: string\) => \{\s*const content =\s*files\.get\(path\) \?\? \(path === "" \? new Uint8Array\(\) : readFileSync\(path\)\);\s*files\.set\(path, content\);\s*return content;\s*\};$/;
const contentOfComment = '/** Content of the file at a path, read once; empty if the path is "". */';

const calls: ReadonlySet<string> = new Set([
  "http.get",
  "http.post",
  "http.put",
  "http.patch",
  "http.delete",
  "http.head",
  "http.options",
  "http.request",
  "http.batch",
  "http.cookies.get",
  "http.cookies.set",
  "page",
  "group",
  "check",
  "think",
  "sleep",
  "extract",
  "statusIs",
  "grpcStatusIs",
  "hasNoField",
  "isHtml",
  "isJson",
  "isNotHtml",
  "endsAt",
  "redirectsTo",
  "jsonFieldIs",
  "noJsonErrors",
  "defineTest",
  "encodeURIComponent",
  "String",
  "Number",
  "Date.now",
  "Math.floor",
  "random",
  "random.uuid",
  "random.integer",
  "new Date().toISOString",
  "fromBase64",
  "contentOf",
]);

const globals: ReadonlySet<string> = new Set(["encodeURIComponent", "String", "Number", "Date", "Math"]);

/** Returns everything in a source that a written test must not contain. Empty for every test, whatever was recorded. */
export function strangeSyntax(source: string): string[] {
  const file = ts.createSourceFile("test.ts", source, ts.ScriptTarget.ES2024, true);
  const { diagnostics = [] } = ts.transpileModule(source, { reportDiagnostics: true });
  const strange = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  const declared = namesIn(file);
  const visit = (node: ts.Node): void => {
    if (ts.isVariableStatement(node) && [files, contentOf].some((known) => known.test(node.getText())))
      return;
    if (!allowedKinds.has(node.kind)) strange.push(`${ts.SyntaxKind[node.kind]}: ${node.getText()}`);
    if (ts.isCallExpression(node) && !calls.has(node.expression.getText()))
      strange.push(`call: ${node.getText()}`);
    if (ts.isComputedPropertyName(node) && node.getText() !== '["__proto__"]') strange.push(node.getText());
    if (ts.isPropertyAssignment(node) && node.name.getText().replaceAll(/["']/g, "") === "__proto__")
      strange.push(`prototype: ${node.getText()}`);
    if (ts.isIdentifier(node) && isReference(node) && !declared.has(node.text) && !globals.has(node.text))
      strange.push(`name: ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...strange, ...strangeStatements(file), ...strangeComments(source, file)];
}

/** Returns statements other than imports, constants and the final `defineTest`: those could have side effects. */
function strangeStatements(file: ts.SourceFile): string[] {
  return file.statements
    .filter((statement, index) => {
      const isLast = index === file.statements.length - 1;
      if (ts.isExportAssignment(statement))
        return !isLast || !statement.getText().startsWith("export default defineTest({");
      return isLast || !(ts.isImportDeclaration(statement) || ts.isVariableStatement(statement));
    })
    .map((statement) => `statement: ${statement.getText()}`);
}

/** Returns comments that are not lines of plain words. */
function strangeComments(source: string, file: ts.SourceFile): string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2024, false, ts.LanguageVariant.Standard, source);
  const strange: string[] = [];
  const inside = new Set<number>();
  const collect = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) inside.add(range.pos);
    for (const range of ts.getTrailingCommentRanges(source, node.getEnd()) ?? []) inside.add(range.pos);
    node.getChildren(file).forEach(collect);
  };
  collect(file);
  for (const start of inside) {
    scanner.resetTokenState(start);
    scanner.scan();
    const text = scanner.getTokenText();
    if (!/^\/\/ [\w .,:/%'-]{1,77}$/.test(text) && text !== contentOfComment)
      strange.push(`comment: ${text}`);
  }
  return strange;
}

function namesIn(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isDeclared =
      ts.isVariableDeclaration(node) ||
      ts.isBindingElement(node) ||
      ts.isImportSpecifier(node) ||
      ts.isParameter(node);
    if (isDeclared && ts.isIdentifier(node.name)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** True if an identifier refers to a value and is not the name of a member. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !ts.isImportAttribute(parent) && !ts.isImportSpecifier(parent) && !ts.isBindingElement(parent);
}
