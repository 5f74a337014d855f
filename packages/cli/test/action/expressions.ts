import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

/** A context of expressions, such as `inputs` or `steps`. */
export interface Contexts {
  readonly [name: string]: string | Contexts;
}

/** Replaces the expressions of a text by their values, with GitHub's own evaluator. */
export function fill(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{(.+?)\}\}/g, (_, expression: string) =>
    evaluate(expression, contexts).coerceString(),
  );
}

/** Evaluates a step's `if`. Without a status function, a step runs only if all steps before it succeeded. */
export function isTrue(condition: string, contexts: Contexts, hasFailed: boolean): boolean {
  const [, bare = condition] = /^\s*\$\{\{(.+)\}\}\s*$/s.exec(condition) ?? [];
  const hasStatusFunction = /\b(?:always|cancelled|failure|success)\(/.test(bare);
  const value = evaluate(bare, contexts, hasFailed);
  return isTruthy(value) && (hasStatusFunction || !hasFailed);
}

function evaluate(expression: string, contexts: Contexts, hasFailed = false): data.ExpressionData {
  const status = { always: true, cancelled: false, failure: hasFailed, success: !hasFailed };
  const functions = Object.entries(status).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
  const parsed = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse();
  return new Evaluator(
    parsed,
    dictionaryOf(contexts),
    new Map(functions.map((one) => [one.name, one])),
  ).evaluate();
}

function isTruthy(value: data.ExpressionData): boolean {
  return value.kind === data.Kind.Boolean ? value.value : value.coerceString() !== "";
}

function dictionaryOf(contexts: Contexts): data.Dictionary {
  const pairs = Object.entries(contexts).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? new data.StringData(value) : dictionaryOf(value),
  }));
  return new data.Dictionary(...pairs);
}
