import { readTags } from "./read-tags.ts";

/** A named value in an HTML document: a form field or a `meta` element. */
export interface HtmlValue {
  readonly kind: "field" | "meta";
  readonly name: string;
  /** The value with entities decoded. */
  readonly value: string;
  /** True for the field of a password. */
  readonly isPassword: boolean;
}

/**
 * Calls `visit` with each form field (`input`, `textarea`, `select`, `button`) and `meta` element of an HTML
 * document, in the document's order. Stops reading as soon as `visit` returns true.
 */
export function walkHtml(html: string, visit: (found: HtmlValue) => boolean): void {
  const walk = new HtmlWalk(visit);
  readTags(html, walk);
  walk.end();
}

/** A field whose value is between its tags, before its closing tag. */
interface OpenField {
  readonly tag: "textarea" | "select";
  readonly name: string | null;
  value: string | null;
  /** For a select: true if an option with the attribute `selected` was found. */
  isChosen: boolean;
}

interface OpenOption {
  readonly value: string | null;
  readonly isSelected: boolean;
  text: string;
}

class HtmlWalk {
  readonly #visit: (found: HtmlValue) => boolean;
  #isDone = false;
  #field: OpenField | null = null;
  #option: OpenOption | null = null;

  constructor(visit: (found: HtmlValue) => boolean) {
    this.#visit = visit;
  }

  open(tag: string, attributes: ReadonlyMap<string, string>): boolean {
    const name = attributes.get("name") ?? null;
    switch (tag) {
      case "input":
      case "button":
        // Fields do not nest: a field that is still open has no closing tag.
        this.end();
        this.#report("field", name, attributes.get("value") ?? "", isPasswordInput(attributes));
        break;
      case "meta":
        this.#report("meta", name, attributes.get("content") ?? "");
        if (attributes.get("property") !== name)
          this.#report("meta", attributes.get("property") ?? null, attributes.get("content") ?? "");
        break;
      case "textarea":
      case "select":
        this.end();
        this.#field = { tag, name, value: null, isChosen: false };
        break;
      case "option":
      case "optgroup":
        this.#endOption();
        if (tag === "option" && this.#field?.tag === "select") this.#option = openOption(attributes);
    }
    return this.#isDone;
  }

  text(piece: string): void {
    if (this.#option !== null) this.#option.text += piece;
    else if (this.#field?.tag === "textarea") this.#field.value = (this.#field.value ?? "") + piece;
  }

  close(tag: string): boolean {
    if (tag === "option" || tag === "optgroup") this.#endOption();
    else if (tag === this.#field?.tag) this.end();
    return this.#isDone;
  }

  /** Reports a field that is still open. */
  end(): void {
    this.#endOption();
    if (this.#field === null) return;
    const { tag, name, value } = this.#field;
    this.#field = null;
    // A line feed right after <textarea> is not part of its value.
    const own = tag === "textarea" ? value?.replace(/^\r?\n/, "") : value;
    this.#report("field", name, own ?? "");
  }

  #endOption(): void {
    if (this.#option !== null && this.#field !== null) choose(this.#field, this.#option);
    this.#option = null;
  }

  #report(kind: HtmlValue["kind"], name: string | null, value: string, isPassword = false): void {
    if (name !== null && !this.#isDone) this.#isDone = this.#visit({ kind, name, value, isPassword });
  }
}

function isPasswordInput(attributes: ReadonlyMap<string, string>): boolean {
  return attributes.get("type")?.trim().toLowerCase() === "password";
}

function openOption(attributes: ReadonlyMap<string, string>): OpenOption {
  return { value: attributes.get("value") ?? null, isSelected: attributes.has("selected"), text: "" };
}

/**
 * Sets a select's value as browsers do: from the first option with `selected`, otherwise from the first
 * option.
 */
function choose(field: OpenField, { value, isSelected, text }: OpenOption): void {
  if (field.isChosen || (!isSelected && field.value !== null)) return;
  field.value = value ?? text.replace(/\s+/g, " ").trim();
  field.isChosen = isSelected;
}
