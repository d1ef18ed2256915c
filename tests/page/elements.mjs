// Judges a report in the format of mutation-testing-elements by its published schema, and shows it in its own web component: node elements.mjs FOLDER-OF-MODULES SCREENSHOTS REPORT
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { browse, check, errorsOf, finish, inPackages, packages } from "./browser.mjs";

const [modules, screenshots, report] = process.argv.slice(2);
const require = packages(modules);
const Ajv = require("ajv").default, formats = require("ajv-formats").default;
mkdirSync(screenshots, { recursive: true });
const text = readFileSync(report, "utf8"), data = JSON.parse(text);
const schema = JSON.parse(readFileSync(inPackages(modules, "mutation-testing-report-schema/dist/src/mutation-testing-report-schema.json"), "utf8"));
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
const script = readFileSync(inPackages(modules, "mutation-testing-elements/dist/mutation-test-elements.js"), "utf8");
const page = join(resolve(screenshots), "elements.html");
const embedded = text.replaceAll("<", "\\u003c");
writeFileSync(page, `<!DOCTYPE html><meta charset="utf-8"><title>elements</title><link rel="icon" href="data:,"><mutation-test-report-app></mutation-test-report-app><script>${script}</script><script>document.querySelector("mutation-test-report-app").report = ${embedded};</script>`);
const browser = await browse(require);
const context = await browser.newContext({ offline: true });
const tab = await context.newPage();
const errors = errorsOf(tab);
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
finish();
