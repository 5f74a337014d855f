import type {
  CheckedProgram,
  CheckedType,
  SourceText,
  SyntaxKinds,
  SyntaxNode,
  TypeChecker,
} from "./syntax.ts";

/** A place where code continues without awaiting what it started. */
export interface FloatingPromise {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly column: number;
  /** The problem and how to fix it. */
  readonly message: string;
}

/** Functions that call their argument and ignore its return value. */
const ignoringFunctions = new Set(["forEach", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"]);

const pauses = new Set(["sleep", "think"]);

/** Finds promises in the code of tests that are not awaited. `void` before one marks it as intended. */
export function findFloatingPromises(program: CheckedProgram, tests: ReadonlySet<string>): FloatingPromise[] {
  return program.files
    .filter((file) => tests.has(file.fileName) || isTestCode(file, program.kinds))
    .flatMap((file) => new FileSearch(program, file).found());
}

/** True for the author's own files that import the SDK; other files belong to the application. */
function isTestCode(file: SourceText, kinds: SyntaxKinds): boolean {
  if (file.isDeclarationFile || /[\\/]node_modules[\\/]/.test(file.fileName)) return false;
  let usesSdk = false;
  file.forEachChild(({ kind, moduleSpecifier }) => {
    if (kind === kinds.ImportDeclaration && moduleSpecifier !== undefined)
      usesSdk ||= /^.(?:@bearhug\/sdk|bearhug).$/.test(moduleSpecifier.getText(file));
  });
  return usesSdk;
}

class FileSearch {
  readonly #kinds: SyntaxKinds;
  readonly #checker: TypeChecker;
  readonly #file: SourceText;
  readonly #found: FloatingPromise[] = [];

  constructor({ kinds, checker }: CheckedProgram, file: SourceText) {
    this.#kinds = kinds;
    this.#checker = checker;
    this.#file = file;
  }

  found(): readonly FloatingPromise[] {
    this.#visit(this.#file, true);
    return this.#found;
  }

  /** `mayAwait` is true if the surrounding code may use `await`. */
  #visit(node: SyntaxNode, mayAwait: boolean): void {
    const kinds = this.#kinds;
    if (node.kind === kinds.ExpressionStatement && node.expression !== undefined)
      this.#searchResult(node.expression, mayAwait);
    if (node.kind === kinds.CallExpression) this.#searchArguments(node);
    const mayAwaitInside = this.#isFunction(node) ? this.#isAsync(node) : mayAwait;
    node.forEachChild((child) => this.#visit(child, mayAwaitInside));
  }

  /** Searches an expression whose value is not used. */
  #searchResult(node: SyntaxNode, mayAwait: boolean): void {
    const kinds = this.#kinds;
    const { left, right, operatorToken, whenTrue, whenFalse, expression } = node;
    if (node.kind === kinds.ParenthesizedExpression && expression !== undefined)
      this.#searchResult(expression, mayAwait);
    else if (node.kind === kinds.ConditionalExpression && whenTrue !== undefined && whenFalse !== undefined) {
      this.#searchResult(whenTrue, mayAwait);
      this.#searchResult(whenFalse, mayAwait);
    } else if (node.kind === kinds.BinaryExpression && left !== undefined && right !== undefined) {
      const operator = operatorToken?.getText(this.#file) ?? "";
      if (operator === ",") this.#searchResult(left, mayAwait);
      if ([",", "&&", "||", "??"].includes(operator)) this.#searchResult(right, mayAwait);
    } else if (node.kind === kinds.CallExpression && !this.#isHandled(node) && this.#isPromise(node))
      this.#add(node, describe(this.#nameOf(node), mayAwait));
  }

  /** Searches for an async function passed to a function that does not wait for it. */
  #searchArguments(call: SyntaxNode): void {
    const { name: method } = call.expression ?? {};
    const name = method === undefined ? this.#nameOf(call) : method.getText(this.#file);
    if (!ignoringFunctions.has(name)) return;
    for (const argument of call.arguments ?? [])
      if (this.#isFunction(argument) && this.#isAsync(argument)) this.#add(argument, describeIgnored(name));
  }

  /**
   * True if the code handles a failure: `.catch(…)`, or `.then(…, …)`. That does not make it wait for a
   * pause, though.
   */
  #isHandled({ expression, arguments: given = [] }: SyntaxNode): boolean {
    if (expression?.kind !== this.#kinds.PropertyAccessExpression) return false;
    const method = expression.name?.getText(this.#file);
    if (method === "catch") return given.length > 0;
    if (method === "then") return given.length > 1;
    const inner = expression.expression;
    return method === "finally" && inner !== undefined && this.#isHandled(inner);
  }

  #isPromise(node: SyntaxNode): boolean {
    const type = this.#checker.getTypeAtLocation(node);
    return type !== undefined && membersOf(type).some((one) => this.#hasThen(one));
  }

  #hasThen(type: CheckedType): boolean {
    return this.#checker.getPropertyOfType(type, "then") !== undefined;
  }

  #isFunction({ kind }: SyntaxNode): boolean {
    const { ArrowFunction, FunctionExpression, FunctionDeclaration, MethodDeclaration } = this.#kinds;
    return [ArrowFunction, FunctionExpression, FunctionDeclaration, MethodDeclaration].includes(kind);
  }

  #isAsync({ modifiers = [] }: SyntaxNode): boolean {
    return modifiers.some(({ kind }) => kind === this.#kinds.AsyncKeyword);
  }

  /** Returns the source of the called function if it is short; otherwise an empty text. */
  #nameOf({ expression }: SyntaxNode): string {
    const name = expression?.getText(this.#file) ?? "";
    return /^[\w$.]{1,40}$/.test(name) ? name : "";
  }

  #add(node: SyntaxNode, message: string): void {
    const before = this.#file.text.slice(0, node.getStart(this.#file));
    const line = before.split("\n").length;
    const column = before.length - before.lastIndexOf("\n");
    this.#found.push({ file: this.#file.fileName, line, column, message });
  }
}

function membersOf(type: CheckedType): readonly CheckedType[] {
  return type.types ?? type.getTypes?.() ?? [type];
}

function describe(name: string, mayAwait: boolean): string {
  const what = name === "" ? "This promise" : `${name}(…)`;
  const how = mayAwait ? "write await before it" : "make the function async, and write await before it";
  if (pauses.has(name.split(".").at(-1) ?? ""))
    return `${what} is not awaited, so it does not pause: ${how}.`;
  return `${what} is not awaited, so the code goes on at once and its errors are lost: ${how}. If that is meant, write void before it.`;
}

function describeIgnored(name: string): string {
  const instead =
    name === "forEach"
      ? "write for (const one of all) { await … }, or await Promise.all(all.map(async …))"
      : "write await sleep(…), and what is to follow after it";
  return `${name} does not wait for an async function, and its errors are lost: ${instead}.`;
}
