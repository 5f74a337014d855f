import type { Page } from "playwright-core";

export default async (page: Page): Promise<void> => {
  await page.getByLabel("Username").fill("ann");
  await page.getByLabel("Password").fill("sesame-1961");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator(".model-note").getByRole("link", { name: "Notes" }).click();
  await page.getByRole("link", { name: "Add note" }).click();
  await page.getByLabel("Title").fill("Milk");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("was added successfully").waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("Username").waitFor();
};
