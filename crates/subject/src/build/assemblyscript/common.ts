/* A text as it lies in memory, in UTF-8. */
function dodona_text(at: usize, length: usize): string {
  return String.UTF8.decodeUnsafe(at, length);
}

/* Where the elements of an array lie. */
function dodona_data<T>(xs: T): usize {
  if (isArray<T>()) return xs.dataStart;
  if (xs instanceof ArrayBufferView) return xs.dataStart;
  return changetype<usize>(xs);
}

/* How many elements an array has. */
function dodona_count<T>(xs: T): usize {
  if (idof<T>() == idof<ArrayBuffer>()) return xs.byteLength;
  return xs.length;
}

/* The bytes of each element. */
function dodona_bytes<T>(): usize {
  if (idof<T>() == idof<ArrayBuffer>()) return 1;
  return sizeof<valueof<T>>();
}

/* An array of the elements that lie in memory. */
function dodona_items<T>(at: usize, length: usize): T {
  const made = instantiate<T>(<i32>length);
  memory.copy(dodona_data<T>(made), at, length * dodona_bytes<T>());
  return made;
}

/* What a function changed in an array is an output: it goes back to where the array came from. */
function dodona_back<T>(xs: T, at: usize, length: usize): void {
  if (dodona_count<T>(xs) != length) throw new Error("an array that is an output has another length after the call");
  memory.copy(at, dodona_data<T>(xs), length * dodona_bytes<T>());
}

/* Writes where an output lies and how long it is. */
function dodona_slot(slot: usize, at: usize, length: usize): void {
  store<u32>(slot, <u32>at);
  store<u32>(slot, <u32>length, 4);
}

/* An array of another type with the same elements: `dodona_as<Float64Array>(xs)`. */
function dodona_as<T>(xs: Array<valueof<T>>): T {
  return dodona_items<T>(xs.dataStart, xs.length);
}

/* An `Array` of the elements of an array of any type. */
function dodona_array<T>(xs: T): Array<valueof<T>> {
  return dodona_items<Array<valueof<T>>>(dodona_data<T>(xs), dodona_count<T>(xs));
}
