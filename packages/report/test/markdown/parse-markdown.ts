import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** A node of what GitHub's markdown is read as. */
export interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
}

export function parseMarkdown(markdown: string): MarkdownNode {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** All nodes of a kind, in their order. */
export function nodesOf(root: MarkdownNode, type: string): MarkdownNode[] {
  return [
    ...(root.type === type ? [root] : []),
    ...(root.children ?? []).flatMap((child) => nodesOf(child, type)),
  ];
}

/** What a node shows, without markup. */
export function textOf(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join("");
}
