import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** A node of parsed GitHub Flavored Markdown. */
export interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
}

export function parseMarkdown(markdown: string): MarkdownNode {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Returns all nodes of a type in document order. */
export function nodesOf(root: MarkdownNode, type: string): MarkdownNode[] {
  return [
    ...(root.type === type ? [root] : []),
    ...(root.children ?? []).flatMap((child) => nodesOf(child, type)),
  ];
}

/** Returns a node's text without markup. */
export function textOf(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join("");
}
