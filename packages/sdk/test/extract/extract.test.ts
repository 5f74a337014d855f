import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extract, ExtractError } from "../../src/index.ts";
import { jsonOf, responseOf } from "./answer-of.ts";

describe("a value of a JSON body", () => {
  const body = {
    user: { items: [{ id: 7 }, { id: 8 }], isNew: false },
    "odd key": { 'a "b"': "c" },
    "0": "zero",
  };

  test.for([
    ["user.items[1].id", "8"],
    ["user.isNew", "false"],
    ['["odd key"]["a \\"b\\""]', "c"],
    ['["user"].items[0]["id"]', "7"],
    ["0", "zero"],
  ])("at %s is %s", ([path = "", value]) => {
    expect(extract(jsonOf(body), { json: path })).toBe(value);
  });

  test("is the body itself if the path is empty", () => {
    expect(extract(jsonOf("token"), { json: "" })).toBe("token");
  });

  test("is only what the document contains, not a property that JavaScript adds", () => {
    const page = jsonOf({ list: [1, 2], name: "Ann", none: null });
    for (const json of ["list.length", "name.length", "toString", "none.a", 'list["0"]', "name[0]"])
      expect(() => extract(page, { json })).toThrow(ExtractError);
  });

  test.for([
    ['{"a":{"id":9007199254740993}}', "a.id", "9007199254740993"],
    ['[[-12345678901234567890, "12345678901234567891"]]', "[0][0]", "-12345678901234567890"],
    ['[[-12345678901234567890, "12345678901234567891"]]', "[0][1]", "12345678901234567891"],
    ["9007199254740993", "", "9007199254740993"],
    ['{"id":1e21,"n":12345678901234567890}', "id", "1e+21"],
    ['{"id":12345678901234567890,"id":1}', "id", "1"],
  ])("of %s at %s is the integer with all its digits: %s", ([body = "", json = "", value]) => {
    expect(extract(responseOf({ body }), { json })).toBe(value);
  });

  test("is found in a list", () => {
    expect(extract(jsonOf([{ id: "a" }]), { json: "[0].id" })).toBe("a");
  });
});

describe("a value of an HTML body", () => {
  const form = (html: string) =>
    responseOf({ body: `<!doctype html><html><body><form>${html}</form></body></html>` });

  test.for([
    ['<input type="hidden" name="csrf" value="a&amp;b&#39;c&quot;">', "a&b'c\""],
    ["<INPUT NAME=csrf VALUE=abc>", "abc"],
    ["<input name='csrf' value='a > b'/>", "a > b"],
    ['<input name="csrf">', ""],
    ['<button name="csrf" value="go">Go</button>', "go"],
    ['<textarea name="csrf">\n a &lt;b&gt; <i></textarea>', " a <b> <i>"],
    ['<select name="csrf"><option value="1">One<option value="2" selected>Two</select>', "2"],
    ['<select name="csrf"><option> One  of <option>Two</select>', "One of"],
    ['<select name="csrf"></select>', ""],
    ['<select name="csrf"><option>One</option> two </select> three', "One"],
    ['<select name="csrf"><optgroup><option selected>One</optgroup> two </select>', "One"],
    ['<select name="csrf"><option value="1">One</select><option value="2" selected>Two', "1"],
    ['<textarea name="csrf">a\nb</textarea>c', "a\nb"],
    ['<select name="other"><option>One</select><textarea name="csrf">a</textarea>', "a"],
    ['<!-- <input name="csrf" value="old"> --><input name="csrf" value="new">', "new"],
    ['<script>"<input name=csrf value=old>"</script><input name="csrf" value="new">', "new"],
  ])("is that of the field in %s", ([html = "", value]) => {
    expect(extract(form(html), { field: "csrf" })).toBe(value);
  });

  test("is that of the nth field of its name, from 1", () => {
    const page = form('<input name=id value=1><input name=other value=x><input name="id" value=2>');
    expect(extract(page, { field: "id", nth: 2 })).toBe("2");
    expect(() => extract(page, { field: "id", nth: 3 })).toThrow('No 3. form field "id"');
  });

  test("is the content of a meta element, by name or property", () => {
    const page = form('<meta name="csrf-token" content="abc"><meta property="og:id" content="7">');
    expect(extract(page, { meta: "csrf-token" })).toBe("abc");
    expect(extract(page, { meta: "og:id" })).toBe("7");
  });

  test("is found before broken markup", () => {
    expect(extract(form('<input name="csrf" value="abc"><div <"'), { field: "csrf" })).toBe("abc");
  });
});

test("a header is found whatever its case", () => {
  expect(extract(responseOf({ headers: { "X-Request-Id": "abc" } }), { header: "x-request-ID" })).toBe("abc");
});

describe("a parameter", () => {
  test.for([
    ["https://shop.example/cb?code=a%20b+c&state=1", "a b c"],
    ["https://shop.example/cb#code=abc", "abc"],
    ["https://shop.example/#/cb?code=abc", "abc"],
    ["https://shop.example/cb?code=%E0%A4%A", "%E0%A4%A"],
    ["https://shop.example/cb?code=abc#state=1", "abc"],
    ["https://shop.example/cb?state=1#code=abc", "abc"],
    ["https://shop.example/cb?code", ""],
    ["https://shop.example/cb?=1&code=abc", "abc"],
  ])("of the address %s is found", ([url = "", value]) => {
    expect(extract(responseOf({ url }), { query: "code" })).toBe(value);
  });

  test("of the location is found if the redirect was not followed", () => {
    const redirect = responseOf({ status: 302, headers: { location: "/cb?code=abc" } });
    expect(extract(redirect, { query: "code" })).toBe("abc");
    for (const location of ["?code=abc", "#code=abc"])
      expect(extract(responseOf({ status: 302, headers: { location } }), { query: "code" })).toBe("abc");
  });
});

describe("a segment of the path", () => {
  const url = "https://shop.example/shops/caf%C3%A9/orders/77123/?page=2#/lines/9";

  test.for([
    [-1, "77123"],
    [-2, "orders"],
    [1, "shops"],
    [2, "café"],
  ] as const)("%i of the address that redirects led to is %s", ([segment, value]) => {
    expect(extract(responseOf({ url, redirected: true }), { segment })).toBe(value);
  });

  test.for(["/api/orders/5", "https://other.example/orders/5", "//other.example/5?next=/6", "5"])(
    "of the location %s takes precedence",
    (location) => {
      expect(extract(responseOf({ url, status: 201, headers: { location } }), { segment: -1 })).toBe("5");
    },
  );

  test("excludes parameters, such as the session id that a server appends to it", () => {
    const location = "/owners/11;v=1;jsessionid=0A1B2C3D.node1";
    expect(extract(responseOf({ url, status: 302, headers: { location } }), { segment: -1 })).toBe("11");
    expect(
      extract(responseOf({ url: "https://shop.example/a;b/c%3Bd=e", redirected: true }), { segment: 1 }),
    ).toBe("a;b");
    expect(
      extract(responseOf({ url: "https://shop.example/a;b/c%3Bd=e", redirected: true }), { segment: 2 }),
    ).toBe("c;d=e");
  });

  test("that cannot be decoded is returned as it is", () => {
    expect(
      extract(responseOf({ url: "https://shop.example/%E0%A4%A", redirected: true }), { segment: 1 }),
    ).toBe("%E0%A4%A");
  });
});

describe("a text between two others", () => {
  test("is the shortest", () => {
    const page = responseOf({ body: 'var id = "1"; var id = "2" + "3";' });
    expect(extract(page, { between: ['id = "', '" +'] })).toBe("2");
  });

  test("is the nth, from 1", () => {
    expect(extract(responseOf({ body: "<1><2><3>" }), { between: ["<", ">"], nth: 3 })).toBe("3");
  });

  test("is in the nth pair if both texts are the same, such as quotation marks", () => {
    const list = responseOf({ body: 'ids: "7","8"' });
    expect(extract(list, { between: ['"', '"'], nth: 1 })).toBe("7");
    expect(extract(list, { between: ['"', '"'], nth: 2 })).toBe("8");
    expect(() => extract(list, { between: ['"', '"'], nth: 3 })).toThrow(ExtractError);
    const fenced = responseOf({ body: "##a####b##" });
    expect(extract(fenced, { between: ["##", "##"], nth: 2 })).toBe("b");
  });

  test("is found wherever it is, unless it contains one of them", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "[", "{") });
    fc.assert(
      fc.property(text, text, (before, value) => {
        fc.pre(!`${before}${value}`.includes("[["));
        const page = responseOf({ body: `${before}]][[${value}]]` });
        fc.pre(!value.startsWith("["));
        expect(extract(page, { between: ["[[", "]]"], nth: before.includes("[[") ? 2 : 1 })).toBe(value);
      }),
    );
  });
});
