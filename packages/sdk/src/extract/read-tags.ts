import { Tokenizer } from "htmlparser2";

/** Receives an HTML document's tags and texts in order, with names in lower case. */
export interface TagReader {
  /**
   * Receives an opening tag. If it repeats an attribute, the first one counts. Returns true to stop reading.
   */
  open(tag: string, attributes: ReadonlyMap<string, string>): boolean;
  /** Receives a piece of text, with entities decoded. */
  text(piece: string): void;
  /** Receives a closing tag. Returns true to stop reading. */
  close(tag: string): boolean;
}

const nothing = (): void => undefined;
const ignoredEvents = {
  oncdata: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onprocessinginstruction: nothing,
  onend: nothing,
};

/**
 * Reads the tags of an HTML document, however malformed it is. It does not match opening and closing tags: a
 * parser with a stack of open elements takes minutes for a document that opens many elements and closes
 * others.
 */
export function readTags(html: string, reader: TagReader): void {
  let tag = "";
  let attribute = "";
  let value = "";
  let attributes = new Map<string, string>();
  const stopIf = (isDone: boolean): void => {
    if (isDone) tokenizer.pause();
  };
  const endOpening = (): void => stopIf(reader.open(tag, attributes));
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname: (start, end) => {
        tag = html.slice(start, end).toLowerCase();
        attributes = new Map();
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata: (start, end) => {
        value += html.slice(start, end);
      },
      onattribentity: (codePoint) => {
        value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        if (!attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: endOpening,
      onselfclosingtag: endOpening,
      onclosetag: (start, end) => stopIf(reader.close(html.slice(start, end).toLowerCase())),
      ontext: (start, end) => reader.text(html.slice(start, end)),
      ontextentity: (codePoint) => reader.text(String.fromCodePoint(codePoint)),
      ...ignoredEvents,
    },
  );
  tokenizer.write(html);
  // Does nothing if the tokenizer is paused.
  tokenizer.end();
}
