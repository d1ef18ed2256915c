// Calls a module as Dodona does: arguments lie in memory that the module's allocator gives, and outputs are read from slots of 8 bytes.
const bytes = require("fs").readFileSync(process.argv[1]);
const utf16 = (at) => Buffer.from(e.memory.buffer, at, new DataView(e.memory.buffer).getUint32(at - 4, true)).toString("utf16le");
const abort = (message) => { throw new Error("abort: " + utf16(message)); };
const e = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { abort } }).exports;
const put = (data) => {
  const at = (e.dodona_malloc(data.length + 16) + 15) & ~15;
  new Uint8Array(e.memory.buffer).set(data, at);
  return at;
};
const text = (string) => array(Buffer.from(string));
const array = (xs) => [put(new Uint8Array(xs.buffer, xs.byteOffset, xs.byteLength)), xs.length];
const slots = (n) => put(new Uint8Array(8 * n));
const word = (at, slot) => new DataView(e.memory.buffer).getUint32(at + 8 * slot, true);
const number = (at, slot) => new DataView(e.memory.buffer).getBigInt64(at + 8 * slot, true).toString();
const read = (Type, at, length) => {
  const bytes = e.memory.buffer.slice(at, at + length * Type.BYTES_PER_ELEMENT);
  return [...new Type(bytes)].map((x) => (typeof x === "bigint" ? x.toString() : x));
};
const length = (at, slot) => new DataView(e.memory.buffer).getUint32(at + 8 * slot + 4, true);
const arrayAt = (Type, at, slot) => read(Type, word(at, slot), length(at, slot));
const textAt = (at, slot) => Buffer.from(e.memory.buffer, word(at, slot), length(at, slot)).toString();
const stops = (call) => { try { call(); return "returned"; } catch (error) { return error.message; } };
const show = (...values) => console.log(JSON.stringify(values));
