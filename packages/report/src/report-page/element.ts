type Tag = keyof HTMLElementTagNameMap;

/**
 * Creates an element with its attributes and children. Strings become text nodes: nothing in a report is
 * parsed as markup.
 */
export function element<Name extends Tag>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
