import type { Page } from "playwright-core";

export default async (page: Page): Promise<void> => {
  await page.getByLabel("Username").fill("ann");
  await page.getByLabel("Password").fill("sesame-1961");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("link", { name: "New note" }).click();
  await page.getByLabel("Title").fill("Milk");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "All notes" }).click();
  await page.getByRole("link", { name: "New note" }).waitFor();
};
