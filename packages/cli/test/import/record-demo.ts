import { setTimeout as sleep } from "node:timers/promises";

import type { Browser, Page } from "playwright-core";

/** The texts that the visitor types. */
export const visitor = { user: "grace", password: "honey", review: "Sticky, but worth it: 10/10 & more" };

/**
 * Records a browser while a person shops on the demo site, in a separate browser context.
 *
 * @param path Ends in `.har`; or in `.zip`, for Playwright's archive with each body in its own file.
 */
export async function recordDemo(
  browser: Browser,
  siteUrl: string,
  path: string,
  pause: Pause = readAWhile,
): Promise<void> {
  const content = path.endsWith(".zip") ? "attach" : "embed";
  const context = await browser.newContext({ recordHar: { path, content } });
  const page = await context.newPage();
  await page.goto(siteUrl);
  await logIn(page, pause);
  await browse(page, pause);
  await search(page, pause);
  await writeReview(page, pause);
  await logOut(page, pause);
  // The capture is written when the context closes.
  await context.close();
}

async function logIn(page: Page, pause: Pause): Promise<void> {
  await pause();
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.waitForURL("**/login?next=*");
  await page.getByLabel("User").fill(visitor.user);
  await page.getByLabel("Password").fill(visitor.password);
  await pause();
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText(`Hello, ${visitor.user}`).waitFor();
}

async function browse(page: Page, pause: Pause): Promise<void> {
  await pause();
  await page.getByRole("link", { name: "Products", exact: true }).click();
  await page.waitForURL("**/products");
  await pause();
  await page.getByRole("link", { name: "Clover honey", exact: true }).click();
  await page.waitForURL("**/products/5");
  await pause();
  await page.getByRole("button", { name: "Add to cart", exact: true }).click();
  await page.getByText("In the cart").waitFor();
}

async function search(page: Page, pause: Pause): Promise<void> {
  await pause();
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await page.waitForURL("**/search?q=linden");
  await page.getByLabel("Words").fill("heather tea");
  await pause();
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("1 found").waitFor();
}

async function writeReview(page: Page, pause: Pause): Promise<void> {
  await pause();
  await page.getByRole("link", { name: "Heather tea", exact: true }).click();
  await page.getByRole("link", { name: "Write a review", exact: true }).click();
  await page.getByLabel("Your words").fill(visitor.review);
  await pause();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Everybody can read it").waitFor();
}

async function logOut(page: Page, pause: Pause): Promise<void> {
  await pause();
  await page.getByRole("link", { name: "To your account", exact: true }).click();
  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await page.getByText("Hug this site").waitFor();
  await page.waitForLoadState("networkidle");
}

/** Waits between two clicks. */
type Pause = () => Promise<void>;

/** Waits 300 to 800 ms, as a person who reads before the next click. */
async function readAWhile(): Promise<void> {
  await sleep(300 + Math.random() * 500);
}
