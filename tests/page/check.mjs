// Opens pages in Chromium and looks at them: node check.mjs FOLDER-OF-MODULES SCREENSHOTS PAGE...
//
// Each page is opened at three widths, light and dark, without a network. It is a failure when the console has an error, anything but the page itself is requested, the page is wider than the
// window, axe finds something serious, or what is clicked does not do what it says. What was looked at is printed, a line each.
//
// With PICTURE in the environment, the first screen of the first page is written there and nothing is looked at: the picture of the README.
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { browse, check, errorsOf, finish, packages } from "./browser.mjs";

const [modules, screenshots, ...pages] = process.argv.slice(2);
const require = packages(modules);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(screenshots, { recursive: true });
const browser = await browse(require);

if (process.env.PICTURE) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1000 }, colorScheme: "light", offline: true });
  await page.goto(pathToFileURL(resolve(pages[0])).href);
  await page.screenshot({ path: process.env.PICTURE });
  await browser.close();
  process.exit(0);
}

/// Opens a page; what its console says and what it requests are collected.
const opened = async (path, width, colorScheme) => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
  const page = await context.newPage();
  const errors = errorsOf(page), requests = [];
  page.on("request", (request) => { if (!request.url().startsWith("data:")) requests.push(request.url()); });
  const address = pathToFileURL(resolve(path)).href;
  const begun = performance.now();
  await page.goto(address);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return { context, page, errors, requests, address, took: performance.now() - begun };
};

for (const path of pages) {
  const name = basename(path, ".html");
  console.log(`${name}: ${(statSync(path).size / 1000).toFixed(0)} kB`);
  for (const width of [360, 768, 1440])
    for (const theme of ["light", "dark"]) {
      const { context, page, errors, requests, address, took } = await opened(path, width, theme);
      const at = `${name} at ${width}, ${theme}`;
      // A figure, and no check: how busy the machine is decides it.
      console.log(`${at}: drawn after ${took.toFixed(0)} ms`);
      check(`${at}: is no wider than the window`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await page.evaluate(axe);
      const found = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
      const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
      check(`${at}: axe finds nothing serious`, serious.length === 0, serious.map((one) => `${one.id} (${one.nodes[0].html.slice(0, 120)})`).join("; "));
      check(`${at}: no error in the console`, errors.length === 0, errors.join("; "));
      check(`${at}: requests itself alone`, requests.every((one) => one === address), requests.filter((one) => one !== address).join(" "));
      await page.screenshot({ path: join(screenshots, `${name}-${width}-${theme}.png`), fullPage: width === 1440 });
      await context.close();
    }

  const { context, page, errors } = await opened(path, 1440, "light");
  const texts = (selector) => page.locator(selector).allTextContents();
  if (await page.locator("#table-relations").count()) {
    const parts = "#table-relations > tbody", rows = `${parts} > tr:first-child`;
    const before = await texts(`${rows} > th`);
    await page.getByRole("button", { name: "Catches" }).click();
    const caught = (await texts(`${rows} > td:nth-child(7)`)).map((text) => (text === "–" ? -1 : Number(text)));
    check(`${name}: sorts by a column`, caught.every((count, index) => index === 0 || caught[index - 1] >= count));
    check(`${name}: keeps its rows`, (await texts(`${rows} > th`)).sort().join() === before.sort().join());
    check(`${name}: what stands below a row stays there`, (await page.locator(`${parts} > tr.more`).count()) === before.length);
    // By keyboard too.
    await page.getByRole("button", { name: "Catches" }).focus();
    await page.keyboard.press("Enter");
    check(`${name}: sorts by keyboard`, (await page.locator("#table-relations th[aria-sort=ascending]").count()) === 1);
    const field = page.locator("[data-filter=table-relations]");
    await field.fill("no-such-relation");
    check(`${name}: filters`, (await page.locator(`${rows}:visible`).count()) === 0);
    check(`${name}: what is searched for is in the address`, page.url().endsWith("#find/table-relations/no-such-relation"), page.url());
    await field.fill("");
    check(`${name}: shows all again`, (await page.locator(`${rows}:visible`).count()) === before.length);
    await page.goto(`${pathToFileURL(resolve(path)).href}#find/table-relations/${encodeURIComponent(before[0])}`);
    check(`${name}: a link finds`, (await texts(`${rows}:visible > th`)).includes(before[0]) && (await field.inputValue()) === before[0]);
    const tile = page.locator(".tiles a", { hasText: "Accepted, hold" });
    await tile.click();
    check(`${name}: a figure leads to what it counts`, (await page.locator(`${rows}:visible`).count()) === Number(await tile.locator("xpath=../*[1]").textContent()), page.url());
    await field.fill("");
    const first = page.locator(`${parts} details`).first();
    await first.locator("summary").first().click();
    check(`${name}: opens a relation`, await first.locator("p").first().isVisible());
    const id = await page.locator(parts).last().getAttribute("id");
    await page.goto(`${pathToFileURL(resolve(path)).href}#${id}`);
    check(`${name}: a link opens what it names`, await page.locator(`#${id} details`).first().evaluate((one) => one.open));
  }
  for (const source of (await page.locator("details.source").all()).slice(0, 5)) {
    await source.locator("summary").first().click();
    check(`${name}: opens ${await source.locator("summary code").first().textContent()}`, (await source.locator("table.code tr").count()) > 0);
  }
  // What is folded away is opened.
  await page.evaluate(() => document.querySelectorAll("article.beside > details").forEach((one) => { one.open = true; }));
  for (const canvas of await page.locator("figure.matrix canvas").all()) {
    await canvas.scrollIntoViewIfNeeded();
    await canvas.focus();
    await page.keyboard.press("ArrowRight");
    const said = await canvas.locator("xpath=../../output").textContent();
    check(`${name}: the heat map is told by keyboard`, /(catch|reveal)(es|s)? (fault \d+ of|M\d+)/.test(said), said);
    const drawn = await canvas.evaluate((one) => new Promise((done) => requestAnimationFrame(() => {
      const { data } = one.getContext("2d").getImageData(0, 0, one.width, one.height);
      done(data.some((value, index) => index % 4 === 3 && value > 0));
    })));
    check(`${name}: the heat map is drawn`, drawn);
  }
  if (await page.locator("figure.matrix").count()) {
    await page.locator("figure.matrix canvas").first().focus();
    await page.keyboard.press("Enter");
    check(`${name}: Enter on a heat map leads to the relation`, page.url().includes("#relation-"), page.url());
  }
  for (const more of (await page.locator("article.beside tr.more details").all()).slice(0, 2)) {
    await more.locator("summary").click();
    check(`${name}: a dominator shows what it brings down`, (await more.locator("li").count()) > 0);
  }
  check(`${name}: no error after all of it`, errors.length === 0, errors.join("; "));
  await context.close();
}
await browser.close();
finish();
