// Makes the picture of the README: node picture.mjs FOLDER-OF-MODULES PAGE FILE
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, path, file] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(modules), "node_modules/"))("playwright-core");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1000, height: 1000 }, colorScheme: "light", offline: true });
await page.goto(pathToFileURL(resolve(path)).href);
await page.screenshot({ path: file });
await browser.close();
