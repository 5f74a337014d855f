import { Tokenizer } from "htmlparser2";

/** Receives an HTML document's tags and texts in order, with names in lower case. */
export interface TagReader {
  /** An opening tag. Of an attribute that is given twice, the first counts. Answers true to end the reading. */
  open(tag: string, attributes: ReadonlyMap<string, string>): boolean;
  /** A piece of text, entities decoded. */
  text(piece: string): void;
  close(tag: string): boolean;
}

const nothing = (): void => undefined;
const passedOver = {
  oncdata: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onprocessinginstruction: nothing,
  onend: nothing,
};

/**
 * Reads the tags of an HTML document, however broken it is. Elements are not matched: a parser that keeps a stack of them
 * takes minutes for a document that opens many and closes others.
 */
export function readTags(html: string, reader: TagReader): void {
  let tag = "";
  let attribute = "";
  let value = "";
  let attributes = new Map<string, string>();
  const stopIf = (isDone: boolean): void => {
    if (isDone) tokenizer.pause();
  };
  const endOpening = (): void => {
    stopIf(reader.open(tag, attributes));
  };
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
      onclosetag: (start, end) => {
        stopIf(reader.close(html.slice(start, end).toLowerCase()));
      },
      ontext: (start, end) => {
        reader.text(html.slice(start, end));
      },
      ontextentity: (codePoint) => {
        reader.text(String.fromCodePoint(codePoint));
      },
      ...passedOver,
    },
  );
  tokenizer.write(html);
  // Does nothing where it was paused.
  tokenizer.end();
}
