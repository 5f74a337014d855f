import { nodesIn, textOf, type AnyNode, type Program } from "../../test-file/test-syntax.ts";

/** Sums and templates within each other are followed this far: generated code can be nested deeply. */
const deepest = 20;

/**
 * The texts that can be worked out from the code alone: literals, templates and sums of them, `new URL(…)` and `join(…)`.
 * A test names its files by such texts.
 */
export function* foldedTexts(program: Program): Generator<{ readonly node: AnyNode; readonly text: string }> {
  for (const node of nodesIn(program)) {
    const text = fold(node, deepest);
    if (text !== null && text !== "") yield { node, text };
  }
}

/** Null for what is not known before the code runs. */
function fold(node: AnyNode, depth: number): string | null {
  if (depth === 0) return null;
  const foldAll = (nodes: readonly AnyNode[]): string[] | null => {
    const texts = nodes.map((one) => fold(one, depth - 1));
    return texts.every((text) => text !== null) ? texts : null;
  };
  if (node.type === "Literal") return textOf(node);
  if (node.type === "TemplateLiteral") {
    const values = foldAll(node.expressions);
    return values && node.quasis.map(({ value }, at) => (value.cooked ?? "") + (values[at] ?? "")).join("");
  }
  if (node.type === "BinaryExpression")
    return node.operator === "+" ? (foldAll([node.left, node.right])?.join("") ?? null) : null;
  if (node.type === "NewExpression" && nameOf(node.callee) === "URL") {
    const [relative = "", base] = foldAll(node.arguments) ?? [];
    return base === undefined ? null : (URL.parse(relative, base)?.href ?? null);
  }
  if (node.type === "CallExpression" && /^(?:join|resolve)\d*$/.test(nameOf(node.callee)))
    return foldAll(node.arguments)?.join("/") ?? null;
  return null;
}

/** `join`, also of `path.join`. */
function nameOf(callee: AnyNode): string {
  const named = callee.type === "MemberExpression" ? callee.property : callee;
  return named.type === "Identifier" ? named.name : "";
}
