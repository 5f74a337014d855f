import { readTags } from "./read-tags.ts";

/** Something in an HTML document that has a name and a value. */
export interface HtmlValue {
  readonly kind: "field" | "meta";
  readonly name: string;
  /** Entities decoded. */
  readonly value: string;
}

/**
 * Tells of the form fields (`input`, `textarea`, `select`, `button`) and `meta` elements of an HTML document, as they
 * stand in it. Ends as soon as it is answered with true: nothing behind is read.
 */
export function walkHtml(html: string, visit: (found: HtmlValue) => boolean): void {
  const walk = new HtmlWalk(visit);
  readTags(html, walk);
  walk.end();
}

/** A field whose value stands between its tags. */
interface OpenField {
  readonly tag: "textarea" | "select";
  readonly name: string | null;
  value: string | null;
  /** For a select: an option said that it is selected. */
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
        // No field stands in another: one that is still open was never closed.
        this.end();
        this.#tell("field", name, attributes.get("value") ?? "");
        break;
      case "meta":
        this.#tell("meta", name, attributes.get("content") ?? "");
        if (attributes.get("property") !== name)
          this.#tell("meta", attributes.get("property") ?? null, attributes.get("content") ?? "");
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

  /** Tells of a field that is still open. */
  end(): void {
    this.#endOption();
    if (this.#field === null) return;
    const { tag, name, value } = this.#field;
    this.#field = null;
    // A line feed right behind <textarea> is not of its value.
    const own = tag === "textarea" ? value?.replace(/^\r?\n/, "") : value;
    this.#tell("field", name, own ?? "");
  }

  #endOption(): void {
    if (this.#option !== null && this.#field !== null) choose(this.#field, this.#option);
    this.#option = null;
  }

  #tell(kind: HtmlValue["kind"], name: string | null, value: string): void {
    if (name !== null && !this.#isDone) this.#isDone = this.#visit({ kind, name, value });
  }
}

function openOption(attributes: ReadonlyMap<string, string>): OpenOption {
  return { value: attributes.get("value") ?? null, isSelected: attributes.has("selected"), text: "" };
}

/** As browsers do: the first option that is selected, else the first one. */
function choose(field: OpenField, { value, isSelected, text }: OpenOption): void {
  if (field.isChosen || (!isSelected && field.value !== null)) return;
  field.value = value ?? text.replace(/\s+/g, " ").trim();
  field.isChosen = isSelected;
}
