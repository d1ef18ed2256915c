// What the programs of this folder share: the packages that are installed for them, a browser, and how they say what they looked at.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/// Packages of a folder, by name.
export const packages = (folder) => createRequire(join(resolve(folder), "node_modules/"));

/// The path of a file in a package, also of one that the package does not offer to others.
export const inPackages = (folder, path) => join(resolve(folder), "node_modules", path);

/// A browser that asks for nothing by itself.
export const browse = (require) =>
  require("playwright-core").chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });

/// Errors of a page, as they come: of its console and of its scripts.
export const errorsOf = (page) => {
  const errors = [];
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(String(error)));
  return errors;
};

let failures = 0;

/// Prints what was looked at, and counts what is not as it should be.
export const check = (what, is, more = "") => {
  if (!is) failures += 1;
  console.log(`${is ? "ok" : "FAILED"}  ${what}${more ? `: ${more}` : ""}`);
};

/// Ends with what was counted.
export const finish = () => {
  console.log(failures ? `${failures} failed` : "all passed");
  process.exit(failures ? 1 : 0);
};
