import { describe, it } from "@effect/vitest";
import { hasBrowser } from "../support/Browser.ts";
import { start } from "../support/Screens.ts";

describe.runIf(hasBrowser)("warnings", () => {
  it("[page.warnings] an assignment to an agent that was never seen shows the warning of the server", async () => {
    const screens = await start();
    const { body } = await screens.call("POST", "/api/projects/web/issues", { title: "Paint" });
    await screens.call("PUT", "/api/agents/bto", {});
    const page = await screens.open(`/issues/${body.key}`);
    await page.getByRole("heading", { name: "Paint" }).waitFor();
    await page.keyboard.press("i");
    await page.getByPlaceholder("Assign an agent…").fill("bto");
    await page.keyboard.press("Enter");
    await page.getByText("No agent bto has ever sent a heartbeat.").waitFor();
  });
});
