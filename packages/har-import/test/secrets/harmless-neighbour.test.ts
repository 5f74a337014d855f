import fc from "fast-check";
import { expect, test } from "vitest";
import { isHarmlessNeighbour } from "../../src/secrets/harmless-neighbour.ts";

test.each([
  `"id":"`,
  `"siteKey": "`,
  `{"order":{"id":"`,
  String.raw`{\"id\":\"`,
  "id: '",
  "var token = '",
  "window.config = {csrf: '",
  `setToken("`,
  `JSON.parse('{"csrf":"`,
  String.raw`JSON.parse("{\"csrf\":\"`,
  "hiddenField|__VIEWSTATE|",
  "checksum&quot;:&quot;",
  `<div data-id="`,
  `action="/orders/`,
  `<a class="order-link" href="/orders/`,
  `href="https://shop.test/orders?id=`,
  `<input type="hidden" name="order[id]" value="`,
  `name="csrf" value="`,
  "<td><Id>",
  `<span class="order-id">`,
  "<dt>Order number</dt><dd>",
  "Order number: #",
  "your order id is ",
])("%s contains only the name of the next value", (left) => {
  expect(isHarmlessNeighbour(left)).toBe(true);
});

test.each([
  `{"pw":"Mellon!","id":"`,
  `Mellon!","id":"`,
  `"pin":4829,"id":"`,
  "pwd:'Dragon-Fly!',csrf:'",
  `secret:"Blue!Moon",id:"`,
  "secret: sunshine, id: ",
  String.raw`\"pw\":\"Mellon\",\"id\":\"`,
  `<div data-pw="Open-Sesame!" data-id="`,
  `Open-Sesame" data-id="`,
  `value="sunshine" data-id="`,
  `name="O'Neill!" value="`,
  "<Password>Sun</Password><Id>",
  "Sun</Password><Id>",
  "<td>Rosalind</td><td>",
  `Dear Rosalind <a href="/o/`,
  "user bob password sunshine id ",
  "token=opal-ring&id=",
  "/orders?token=opal&id=",
  `f("sunshine","`,
  `f('{sunshine','`,
  `JSON.parse('{"pw":"Mellon","id":"`,
  "5|hiddenField|pw|sunshine|hiddenField|id|",
  "pw&quot;:&quot;Mellon&quot;,&quot;id&quot;:&quot;",
])("%s may contain another value", (left) => {
  expect(isHarmlessNeighbour(left)).toBe(false);
});

test("the value of another key is recognized after any text", () => {
  const pieces = fc.constantFrom('"', "'", "{", "<a ", " ", ",", ":", "=", "id", "/orders/", ">", "\\");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (around) => {
      const written = around.join("");
      expect(isHarmlessNeighbour(`${written}"pw":"sunshine","id":"`)).toBe(false);
      expect(typeof isHarmlessNeighbour(written)).toBe("boolean");
    }),
  );
});
