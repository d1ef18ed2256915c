// Judges a report in the format of mutation-testing-elements by its published schema, and shows it in its own web component: node elements.mjs FOLDER-OF-MODULES SCREENSHOTS REPORT
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, screenshots, report] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "node_modules/"));
const { chromium } = require("playwright-core");
const Ajv = require("ajv").default, formats = require("ajv-formats").default;
mkdirSync(screenshots, { recursive: true });
let failures = 0;
const check = (what, is, more = "") => {
  if (!is) failures += 1;
  console.log(`${is ? "ok" : "FAILED"}  ${what}${more ? `: ${more}` : ""}`);
};
const text = readFileSync(report, "utf8"), data = JSON.parse(text);
const schema = JSON.parse(readFileSync(join(resolve(modules), "node_modules/mutation-testing-report-schema/dist/src/mutation-testing-report-schema.json"), "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);
const validate = ajv.compile(schema);
check("elements: the published schema takes it", validate(data), JSON.stringify(validate.errors ?? []).slice(0, 500));
// The component looks every location up in its source.
for (const [name, file] of Object.entries(data.files)) {
  const lines = file.source.split("\n");
  const outside = file.mutants.filter(({ location: { start, end } }) => start.line > lines.length || end.column > lines[end.line - 1].length + 2);
  check(`elements: all mutants of ${name} stand in its source`, outside.length === 0, JSON.stringify(outside.slice(0, 2)));
}
const script = readFileSync(join(resolve(modules), "node_modules/mutation-testing-elements/dist/mutation-test-elements.js"), "utf8");
const page = join(resolve(screenshots), "elements.html");
const embedded = text.replaceAll("<", "\\u003c");
writeFileSync(page, `<!DOCTYPE html><meta charset="utf-8"><title>elements</title><link rel="icon" href="data:,"><mutation-test-report-app></mutation-test-report-app><script>${script}</script><script>document.querySelector("mutation-test-report-app").report = ${embedded};</script>`);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ offline: true });
const tab = await context.newPage();
const errors = [];
tab.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
tab.on("pageerror", (error) => errors.push(String(error)));
await tab.goto(pathToFileURL(page).href);
/// All text of the component, whose parts stand behind roots of their own.
const texts = () => {
  const of = (node) => [...node.querySelectorAll("*")].flatMap((one) => (one.shadowRoot ? of(one.shadowRoot) : [])).concat(node.textContent);
  return of(document).join(" ");
};
const first = Object.keys(data.files)[0].split("/").pop();
await tab.waitForFunction(`(${texts})().includes(${JSON.stringify(first)})`, null, { timeout: 30_000 }).catch(() => {});
const shown = await tab.evaluate(texts);
for (const name of Object.keys(data.files)) check(`elements: ${name} is shown`, shown.includes(name.split("/").pop()));
check("elements: no error in the console", errors.length === 0, errors.join("; "));
await tab.screenshot({ path: join(screenshots, "elements.png") });
await browser.close();
process.exit(failures ? 1 : 0);
