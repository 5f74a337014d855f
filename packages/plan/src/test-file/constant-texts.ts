import { nodesIn, textOf, type AnyNode, type Program } from "./test-syntax.ts";

/** The deepest nesting of sums and templates that is followed: generated code can be nested deeply. */
const deepest = 20;

/**
 * Yields the texts that can be worked out from the code alone: literals, templates and sums of them,
 * `new URL(…)` and `join(…)`. A test names its files by such texts.
 */
export function* constantTexts(
  program: Program,
): Generator<{ readonly node: AnyNode; readonly text: string }> {
  for (const node of nodesIn(program)) {
    const text = fold(node, deepest, { constants: new Map(), unknown: null });
    if (text !== null && text !== "") yield { node, text };
  }
}

/**
 * Placeholder in a pattern for text that is known only at run time. No file name contains it,
 * and URLs preserve it.
 */
export const textPlaceholder = "\uE000";

/**
 * Returns the texts that an expression may have, with `textPlaceholder` for text that is known only at run time:
 * those of each side of a choice, and of the constants that it names.
 */
export function textPatterns(node: AnyNode, constants: ReadonlyMap<string, AnyNode>): string[] {
  return choicesOf(node, deepest).flatMap((choice) => {
    const constant = choice.type === "Identifier" ? constants.get(choice.name) : undefined;
    const choices = constant === undefined ? [choice] : choicesOf(constant, deepest);
    return choices.map(
      (one) => fold(one, deepest, { constants, unknown: textPlaceholder }) ?? textPlaceholder,
    );
  });
}

/**
 * Returns the constants of a program by name. Constants with the same name in several functions count as one;
 * in a bundle they are declared with `var`.
 */
export function constantsOf(program: Program): Map<string, AnyNode> {
  const constants = new Map<string, AnyNode>();
  for (const node of nodesIn(program)) {
    if (node.type !== "VariableDeclaration" || node.kind === "let") continue;
    for (const { id, init } of node.declarations)
      if (id.type === "Identifier" && init) constants.set(id.name, init);
  }
  return constants;
}

function choicesOf(node: AnyNode, depth: number): AnyNode[] {
  const choices =
    node.type === "ConditionalExpression"
      ? [node.consequent, node.alternate]
      : node.type === "LogicalExpression"
        ? [node.left, node.right]
        : [];
  return choices.length === 0 || depth === 0
    ? [node]
    : choices.flatMap((choice) => choicesOf(choice, depth - 1));
}

interface Folding {
  readonly constants: ReadonlyMap<string, AnyNode>;
  /** Placeholder for text that is known only at run time; null if all text must be known. */
  readonly unknown: string | null;
}

function fold(node: AnyNode, depth: number, folding: Folding): string | null {
  return depth === 0 ? null : (foldKnown(node, depth, folding) ?? folding.unknown);
}

/** Returns null for text that is known only at run time. */
function foldKnown(node: AnyNode, depth: number, folding: Folding): string | null {
  const foldAll = (nodes: readonly AnyNode[]): string[] | null => {
    const texts = nodes.map((one) => fold(one, depth - 1, folding));
    return texts.every((text) => text !== null) ? texts : null;
  };
  if (node.type === "Literal") return textOf(node);
  if (node.type === "TemplateLiteral") {
    const values = foldAll(node.expressions);
    return values && node.quasis.map(({ value }, at) => (value.cooked ?? "") + (values[at] ?? "")).join("");
  }
  if (node.type === "BinaryExpression")
    return node.operator === "+" ? (foldAll([node.left, node.right])?.join("") ?? null) : null;
  if (node.type === "Identifier") {
    const constant = folding.constants.get(node.name);
    return constant === undefined ? null : fold(constant, Math.max(0, depth - 5), folding);
  }
  if (node.type === "NewExpression" && nameOf(node.callee) === "URL") {
    const [relative = "", base] = foldAll(node.arguments) ?? [];
    return base === undefined ? null : (URL.parse(relative, base)?.href ?? null);
  }
  if (node.type === "MemberExpression" && nameOf(node) === "href")
    return fold(node.object, depth - 1, folding);
  if (node.type !== "CallExpression") return null;
  const called = nameOf(node.callee);
  if (/^(?:join|resolve)\d*$/.test(called)) return foldAll(node.arguments)?.join("/") ?? null;
  const [of] = node.arguments;
  const isSameFile = /^(?:pathToFileURL|fileURLToPath|String)\d*$/.test(called);
  return isSameFile && of !== undefined ? fold(of, depth - 1, folding) : null;
}

/** Returns the name of a function, `join` for both `join` and `path.join`. */
function nameOf(callee: AnyNode): string {
  const named = callee.type === "MemberExpression" ? callee.property : callee;
  return named.type === "Identifier" ? named.name : "";
}
