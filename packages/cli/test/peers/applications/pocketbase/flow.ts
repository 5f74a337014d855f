import type { Page } from "playwright-core";

export default async (page: Page): Promise<void> => {
  await page.getByLabel("User").fill("ann@shop.example");
  await page.getByLabel("Password").fill("sesame-1961");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Title").fill("Milk");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("listitem").getByText("Milk").waitFor();
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByLabel("User").waitFor();
};
