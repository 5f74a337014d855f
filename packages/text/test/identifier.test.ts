import { expect, test } from "vitest";

import { isIdentifier } from "../src/identifier.ts";

test.each([
  ["digits", "42"],
  ["a UUID", "123e4567-E89B-12d3-a456-426614174000"],
  ["a hash", "0123456789abcdef"],
  ["an ObjectId", "507f1f77bcf86cd799439011"],
  ["a MAC address", "13c98df4ef2d"],
  ["a PocketBase id", "am9na54mwy6hot8"],
  ["a CUID", "clh3k2x0s0000qzrm8f4w9y1b"],
  ["a ULID", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ["a KSUID", "1srOrx2ZWZBpBUvZwXKQmoEYga2"],
  ["a nanoid", "V1StGXR8_Z5jdHi6B-myT"],
  ["a Firebase key", "-N7xJ3kQ9vLw2PzRtY5b"],
  ["a GitHub node id", "MDEwOlJlcG9zaXRvcnkx"],
  ["a short random id", "x7k2m9q4w1z8"],
])("%s is an identifier: %s", (_, segment) => {
  expect(isIdentifier(segment)).toBe(true);
});

test.each([
  ["nothing", ""],
  ["a word", "users"],
  ["a long word", "internationalization"],
  ["a version", "v2"],
  ["a date", "2026-11-26"],
  ["a file", "42.json"],
  ["a hashed file", "index-B7f3kQ9zLm2x.js"],
  ["a file called by its hash", "0123456789abcdef0123456789abcdef.css"],
  ["15 hexadecimal digits", "a".repeat(15)],
  ["a slug with a year", "annual-report-2024-final"],
  ["a slug with capitals", "Top-10-Movies-of-2024"],
  ["a word with a number", "covid19vaccine"],
  ["a product", "iphone15promax"],
  ["a product with capitals", "Windows11Update"],
  ["a chapter", "section12chapter3"],
  ["a word with a long number", "product12345678"],
  ["an algorithm", "sha256checksum"],
  ["a callback", "oauth2callback"],
  ["a page of a wiki", "Formula1GrandPrix2025"],
  ["a name with a colon", "am9na54mwy6hot8:publish"],
  ["a template", ":id"],
])("%s is not an identifier: %s", (_, segment) => {
  expect(isIdentifier(segment)).toBe(false);
});
