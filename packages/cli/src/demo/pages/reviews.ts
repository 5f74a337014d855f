import { randomBytes, randomUUID } from "node:crypto";
import { escapeHtml } from "@bearhug/text/printable";
import { findProduct, type Product } from "../catalog.ts";
import { readFields } from "../fields.ts";
import { json, privateHtml, refusal, type Reply, seeOther, text } from "../reply.ts";
import { type DemoRequest, get, post, type Route } from "../route.ts";
import type { ScriptGuard } from "../script-guard.ts";
import type { Sessions, UserSession } from "../sessions.ts";
import { createSigner, type Signer } from "../signer.ts";
import { hiddenFields, foreignForm } from "./form.ts";
import { layout } from "./layout.ts";
import { logInFirst } from "./login.ts";
import { notFound } from "./not-found.ts";

/**
 * Returns the routes of a review, from its form to its page to its publication. None is stored: a review's
 * number is signed, which proves that the site issued it.
 */
export function reviewRoutes(sessions: Sessions, guard: ScriptGuard): readonly Route[] {
  const numbers = createReviewNumbers();
  return [
    get(
      "/products/:id/review",
      "The review form for logged-in users, with a hidden csrf and form_id",
      ({ params, headers }) => {
        const product = findProduct(params["id"]);
        const session = sessions.readUser(headers);
        if (!product) return notFound;
        return session
          ? renderForm(sessions, session, product)
          : logInFirst(`/products/${product.id}/review`);
      },
    ),
    post(
      "/products/:id/reviews",
      "Takes text, form_id and csrf; redirects to /reviews/ and a new number (303)",
      (request) => submit(sessions, numbers, request),
    ),
    get(
      "/reviews/:number",
      "The page of a review; its script reads the token from a meta element",
      ({ params: { number = "" }, headers }) => {
        const session = sessions.readUser(headers);
        if (!session) return logInFirst(`/reviews/${number}`);
        return numbers.isIssued(number) ? renderReview(number, guard.tokenFor(session)) : notFound;
      },
    ),
    post(
      "/api/reviews/:number/publish",
      "Needs the session’s x-csrf-token (else 403) and an x-request-id never sent before (else 409)",
      ({ params: { number = "" }, headers }) => {
        const session = sessions.readUser(headers);
        if (!session) return refusal(401, "log in first: /login");
        if (!numbers.isIssued(number)) return refusal(404, "no such review");
        return guard.refuse(session, headers) ?? json({ number, published: true });
      },
    ),
  ];
}

interface ReviewNumbers {
  next(): string;
  isIssued(number: string): boolean;
}

function createReviewNumbers({ sign, isSignature }: Signer = createSigner()): ReviewNumbers {
  return {
    next() {
      const random = randomBytes(8).toString("hex");
      return random + sign(random);
    },
    isIssued: (number) => isSignature(number.slice(0, 16), number.slice(16)),
  };
}

function submit(sessions: Sessions, numbers: ReviewNumbers, request: DemoRequest): Reply {
  const product = findProduct(request.params["id"]);
  const session = sessions.readUser(request.headers);
  if (!product) return notFound;
  if (!session) return logInFirst(`/products/${product.id}/review`);
  const { csrf, form_id: formId, text: words } = readFields(request) ?? {};
  if (!sessions.isCsrfToken(session, purposeOf(product, formId), csrf)) return foreignForm;
  if (typeof words !== "string" || words.trim() === "") return text("A review needs text.\n", 422);
  return seeOther(`/reviews/${numbers.next()}`);
}

/**
 * Returns the purpose of a form's token: each rendering has an id, and its token is valid for that id only.
 */
function purposeOf({ id }: Product, formId: unknown): string {
  return `review ${id} ${String(formId)}`;
}

function renderForm(sessions: Sessions, session: UserSession, product: Product): Reply {
  const formId = randomUUID();
  const csrf = sessions.csrfToken(session, purposeOf(product, formId));
  const main = `    <h1>${escapeHtml(product.name)}: your review</h1>
    <form method="post" action="/products/${product.id}/reviews">
      ${hiddenFields({ csrf, form_id: formId })}
      <p><textarea name="text" rows="4" cols="50" required aria-label="Your words"></textarea></p>
      <button>Send</button>
    </form>`;
  return privateHtml(layout(`Review of ${product.name}`, main));
}

function renderReview(number: string, scriptToken: string): Reply {
  const main = `    <h1>Thank you</h1>
    <p>Your review is number <code>${escapeHtml(number)}</code>. It is not published yet.</p>
    <button data-review="${escapeHtml(number)}">Publish</button> <output></output>
    <p><a href="/account">To your account</a></p>`;
  return privateHtml(layout("Your review", main, scriptToken));
}
