// The worker for Node that ships with Dodona: it calls functions for whoever writes requests to its standard input. The protocol is in book/worker-protocol.md.
import { readSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const answer = (message) => {
  const bytes = Buffer.from(message + "\n");
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
};
// What the program under test prints is no part of the protocol.
process.stdout.write = process.stderr.write.bind(process.stderr);
console.log = console.info = console.debug = console.error;

let waiting = Buffer.alloc(0);
const part = Buffer.alloc(1 << 16);
const line = () => {
  for (;;) {
    const end = waiting.indexOf(10);
    if (end >= 0) {
      const text = waiting.toString("utf8", 0, end);
      waiting = waiting.subarray(end + 1);
      return text;
    }
    let count;
    try {
      count = readSync(0, part);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      if (error.code === "EOF") return null;
      throw error;
    }
    if (count === 0) return null;
    waiting = Buffer.concat([waiting, part.subarray(0, count)]);
  }
};

const wide = (ty) => /64/.test(ty) && !/f64/.test(ty);
const special = (value) => (value === "nan" ? NaN : value === "inf" ? Infinity : value === "-inf" ? -Infinity : BigInt(value));
// Integers of 64 bits are BigInt where a Number would round them.
const number = (value) => (typeof value === "string" ? special(value) : value);
const reader = (ty) => {
  if (ty === "text") return (value) => (typeof value === "string" ? value : Buffer.from(value.bytes, "hex").toString("latin1"));
  if (ty.startsWith("[")) return (values) => values.map(number);
  return number;
};
const float = (value) => {
  if (typeof value === "bigint") value = Number(value);
  if (typeof value !== "number") throw new TypeError(`${String(value)} is no number`);
  if (Number.isNaN(value)) return '"nan"';
  if (!Number.isFinite(value)) return value > 0 ? '"inf"' : '"-inf"';
  return Object.is(value, -0) ? "-0.0" : JSON.stringify(value);
};
const integer = (value) => {
  if (typeof value === "bigint") return `"${value}"`;
  if (!Number.isInteger(value)) throw new TypeError(`${String(value)} is no integer`);
  return Number.isSafeInteger(value) ? String(value) : `"${BigInt(value)}"`;
};
const bool = (value) => {
  if (typeof value !== "boolean") throw new TypeError(`${String(value)} is neither true nor false`);
  return String(value);
};
const text = (value) => {
  if (Array.isArray(value)) value = value.join("\n");
  if (value instanceof Uint8Array) return JSON.stringify({ bytes: Buffer.from(value).toString("hex") });
  if (typeof value !== "string") throw new TypeError(`${String(value)} is no text`);
  // With the flag u a surrogate is one that is half of no pair.
  if (!/\p{Surrogate}/u.test(value)) return JSON.stringify(value);
  // A lone surrogate has no UTF-8; its three bytes are those that other languages write for it.
  const bytes = [];
  for (const one of value) {
    const unit = one.codePointAt(0);
    if (unit < 0xd800 || unit > 0xdfff) bytes.push(...Buffer.from(one));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  return JSON.stringify({ bytes: Buffer.from(bytes).toString("hex") });
};
const writer = (shape) => {
  if (typeof shape !== "string") {
    const [kind, ...parts] = shape;
    const writers = parts.map(writer);
    if (kind === "option") return (value) => (value === null || value === undefined ? "null" : `[${writers[0](value)}]`);
    if (kind !== "tuple") throw new Error(`a worker for Node returns no ${kind}`);
    return (value) => {
      if (!Array.isArray(value) || value.length !== writers.length) throw new TypeError(`${String(value)} has not ${writers.length} values`);
      return `[${value.map((one, place) => writers[place](one)).join(",")}]`;
    };
  }
  if (shape === "text") return text;
  if (shape.startsWith("[")) {
    const element = writer(shape.slice(1, -1));
    return (values) => `[${Array.from(values, element).join(",")}]`;
  }
  return shape === "f32" || shape === "f64" ? float : shape === "bool" ? bool : integer;
};

const placeOf = (error) => {
  const found = /\(?(?:file:\/\/)?([^\s()]+:\d+):\d+\)?/.exec(String(error?.stack ?? "").split("\n").find((one) => one.includes("    at ") && !one.includes("node:")) ?? "");
  return found ? found[1].replace(process.cwd() + "/", "") : "";
};

const hello = JSON.parse(line());
let functions;
try {
  functions = [];
  for (const { name, parameters, returns } of hello.functions) {
    const at = name.lastIndexOf(":");
    const [file, member] = [name.slice(0, at), name.slice(at + 1)];
    const local = file.startsWith(".") || file.startsWith("/");
    const module = await import(local ? pathToFileURL(resolve(file)).href : file);
    const from = member in module ? module : (module.default ?? {});
    const found = member.split(".").reduce((value, key) => value?.[key], from);
    if (typeof found !== "function") throw new TypeError(`${name} is not a function`);
    functions.push({ found, read: parameters.map(reader), write: writer(returns) });
  }
} catch (error) {
  answer(JSON.stringify({ protocol: 1, error: { type: error?.name ?? "Error", message: String(error?.message ?? error), trace: String(error?.stack ?? error) } }));
  process.exit(0);
}
answer(JSON.stringify({ protocol: 1, worker: `Node ${process.versions.node}` }));
for (let next = line(); next !== null; next = line()) {
  const { id, function: index, rows } = JSON.parse(next);
  const { found, read, write } = functions[index];
  const [values, raised] = [[], {}];
  rows.forEach((row, place) => {
    let result;
    try {
      result = found(...row.map((value, column) => read[column](value)));
    } catch (error) {
      values.push("null");
      raised[place] = { type: error?.constructor?.name ?? "Error", message: String(error?.message ?? error).slice(0, 2000), place: placeOf(error) };
      return;
    }
    try {
      values.push(write(result));
    } catch (error) {
      values.push("null");
      raised[place] = { malformed: String(error?.message ?? error).slice(0, 2000) };
    }
  });
  answer(`{"id":${id},"values":[${values.join(",")}],"raised":${JSON.stringify(raised)}}`);
}
