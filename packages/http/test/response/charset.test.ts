import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { charsetOf } from "../../src/response/decode-body.ts";

const latin = (text: string) => Buffer.from(text, "latin1");

describe("the charset of a text", () => {
  test.each([
    { what: "none is named", type: "text/plain", body: "x", charset: "utf-8" },
    { what: "there is no content type", type: "", body: "", charset: "utf-8" },
    {
      what: "the header names it",
      type: "text/plain; charset=ISO-8859-1",
      body: "x",
      charset: "windows-1252",
    },
    { what: "it is quoted", type: 'text/plain;charset="shift_jis"', body: "x", charset: "shift_jis" },
    { what: "it is quoted wrongly", type: "text/plain; charset='gb18030'", body: "x", charset: "gb18030" },
    {
      what: "it has spaces around it",
      type: "text/plain ; x=1; Charset = koi8-r ",
      body: "x",
      charset: "koi8-r",
    },
    { what: "two headers came", type: "text/html; charset=big5, text/html", body: "x", charset: "big5" },
    { what: "it is unknown", type: "text/plain; charset=klingon", body: "x", charset: "utf-8" },
    { what: "browsers refuse it", type: "text/plain; charset=iso-2022-kr", body: "x", charset: "utf-8" },
    { what: "it is a part of a word", type: "text/plain; nocharset=big5", body: "x", charset: "utf-8" },
  ])("is $charset if $what", ({ type, body, charset }) => {
    expect(charsetOf(latin(body), type)).toBe(charset);
  });

  test.each([
    { mark: [0xef, 0xbb, 0xbf], charset: "utf-8" },
    { mark: [0xff, 0xfe], charset: "utf-16le" },
    { mark: [0xfe, 0xff], charset: "utf-16be" },
  ])("is that of its byte order mark $mark before all else", ({ mark, charset }) => {
    const bytes = Buffer.concat([Buffer.from(mark), latin('<meta charset="koi8-r">')]);
    expect(charsetOf(bytes, "text/html; charset=big5")).toBe(charset);
  });

  test.each([
    { html: '<meta charset="iso-8859-2">', charset: "iso-8859-2" },
    { html: "<META CHARSET=euc-kr />", charset: "euc-kr" },
    { html: "<META CHARSET=euc-kr/>", charset: "utf-8" },
    {
      html: '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
      charset: "windows-1251",
    },
    { html: '<!-- <meta charset="big5"> --><meta\ncharset="koi8-r">', charset: "koi8-r" },
    { html: '<!-- never closed <meta charset="big5">', charset: "utf-8" },
    { html: '<meta name="x"><meta charset="klingon"><meta charset="big5">', charset: "big5" },
    { html: '<meta charset="utf-16">', charset: "utf-8" },
    { html: '<metadata charset="big5">', charset: "utf-8" },
    { html: `${" ".repeat(1010)}<meta charset="big5">`, charset: "utf-8" },
    { html: '<?xml version="1.0" encoding="big5"?>', charset: "big5" },
    { html: '<meta content="text/html; charset=big5">', charset: "utf-8" },
    { html: '<meta name="description" content="charset=big5"><meta charset="koi8-r">', charset: "koi8-r" },
    { html: `<a title='<meta charset="big5">'><meta charset=koi8-r>`, charset: "koi8-r" },
    { html: '<!-- --><!--> <meta charset="koi8-r">', charset: "koi8-r" },
    { html: '<meta charset="x-user-defined">', charset: "windows-1252" },
  ])("of HTML is that of its own declaration: $html", ({ html, charset }) => {
    expect(charsetOf(latin(html), "Text/HTML; x=y")).toBe(charset);
    expect(charsetOf(latin(html), "text/plain")).toBe("utf-8");
    expect(charsetOf(latin(html), "text/html; charset=euc-jp")).toBe("euc-jp");
  });

  test.each([
    { type: "application/xml", charset: "iso-8859-5" },
    { type: "text/xml; charset=", charset: "iso-8859-5" },
    { type: "image/svg+xml", charset: "iso-8859-5" },
    { type: "text/xml; charset=utf-8", charset: "utf-8" },
    { type: "text/xml-not", charset: "utf-8" },
  ])("of XML is that of its declaration: $type", ({ type, charset }) => {
    expect(charsetOf(latin("<?xml version='1.0' encoding='ISO-8859-5'?><a/>"), type)).toBe(charset);
    expect(charsetOf(latin(" <?xml version='1.0' encoding='ISO-8859-5'?><a/>"), type)).toBe("utf-8");
  });

  test("can be decoded, whatever a target declares", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.oneof(
          fc.string(),
          fc.string().map((name) => `text/html; charset=${name}`),
        ),
        (bytes, type) => {
          expect(typeof new TextDecoder(charsetOf(bytes, type)).decode(bytes)).toBe("string");
        },
      ),
    );
  });
});
