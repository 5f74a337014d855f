import type { Page } from "playwright-core";

export default async (page: Page): Promise<void> => {
  // Nobody types before the page's script runs.
  await page.waitForLoadState("networkidle");
  await page.getByLabel("User").fill("ann");
  await page.getByLabel("Password").fill("sesame-1961");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("link", { name: "New note" }).click();
  await page.getByLabel("Title").fill("Milk");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Milk" }).waitFor();
  await page.getByRole("link", { name: "All notes" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("User").waitFor();
};
