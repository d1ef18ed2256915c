//! Prototypes of C and C++ as clang reads them.

use std::process::Command;

use dodona_interface::c::{Dialect, PATTERNS, Seen, Unit, interface, interface_as_seen, probes, read};
use dodona_interface::{Callable, Interface};
use dodona_target::{Calls, Column, Outcome, Ragged, SequenceColumn};

/// What clang knows of a header.
fn unit(name: &str, header: &str) -> Unit {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(name), header).expect("written");
    let tree = Command::new("clang")
        .args(["--target=wasm32-wasi", "-fsyntax-only", "-Xclang", "-ast-dump=json", name])
        .current_dir(folder.path())
        .output()
        .expect("clang runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let mut unit = Unit::default();
    read(tree.stdout.as_slice(), folder.path(), &mut unit).expect("read");
    unit
}

/// The functions of a header.
fn of(name: &str, header: &str) -> Interface {
    let unit = unit(name, header);
    let dialect = if name.ends_with(".h") { Dialect::C } else { Dialect::Cxx };
    interface(&unit, &|file| file == name, dialect)
}

/// A function as lines: its signature, its further keys, and its call.
fn shown(function: &Callable) -> Vec<String> {
    let call = function.call.iter().flat_map(|call| call.lines()).map(|line| format!("  {line}"));
    [function.signature()].into_iter().chain(function.keys.iter().cloned()).chain(call).collect()
}

#[track_caller]
fn is(found: &Interface, name: &str, expected: &[&str]) {
    let function = found.functions.iter().find(|function| function.name == name);
    let function = function.unwrap_or_else(|| panic!("{name} is left out: {:?}", found.left));
    assert_eq!(shown(function), expected);
}

/// The signatures of functions, a line each.
fn signatures(found: &Interface) -> Vec<String> {
    found.functions.iter().map(Callable::signature).collect()
}

#[track_caller]
fn is_left(found: &Interface, name: &str, why: &str) {
    let left = found.left.iter().find(|left| left.path == name);
    let left = left.unwrap_or_else(|| panic!("{name} can be called"));
    assert!(left.why.contains(why), "{name}: {}", left.why);
}

#[test]
fn results_through_pointers_are_outputs() {
    let found = of(
        "a.h",
        "#include <stddef.h>\n\
         typedef struct { double val, err; } result;\n\
         int sf(double x, result *r);\n\
         int fromday(int day, int *y, int *m);\n\
         void split(double x, double *whole);\n\
         double frexp_(double value, int *exp);\n\
         long to_number(const char *text, char **end, int base);\n\
         void fill_array(int n, double x, double *array);\n",
    );
    is(
        &found,
        "sf",
        &[
            "sf(x: f64) -> (status: i32, val: f64, err: f64)",
            "  result r = {0};",
            "  status = sf(x, &r);",
            "  val = r.val;",
            "  err = r.err;",
        ],
    );
    is(
        &found,
        "fromday",
        &[
            "fromday(day: i32) -> (status: i32, y: i32, m: i32)",
            "  int y_given = (int)0;",
            "  int m_given = (int)0;",
            "  status = fromday(day, &y_given, &m_given);",
            "  y = y_given;",
            "  m = m_given;",
        ],
    );
    is(
        &found,
        "split",
        &[
            "split(x: f64) -> f64",
            "  double whole_given = (double)0;",
            "  split(x, &whole_given);",
            "  out = whole_given;",
        ],
    );
    is(
        &found,
        "to_number",
        &[
            "to_number(text: text, base: i32) -> (status: i32, end: Option<text>)",
            "lower.text = \"nul-terminated\"",
            "  char * end_pointer = NULL;",
            "  status = to_number(text, &end_pointer, base);",
            "  end = end_pointer;",
        ],
    );
    is_left(
        &found,
        "fill_array",
        "`array` is a `double *`, and nothing tells whether `n` is the number of its elements",
    );
}

#[test]
fn buffers_have_lengths() {
    let found = of(
        "a.h",
        "#include <stddef.h>\n\
         double mean(const double *x, size_t n, double *var);\n\
         double sd(const double data[], const size_t stride, const size_t n);\n\
         double dot(const double *x, const double *y, int n);\n\
         int total(int count, const int *xs);\n\
         void sort(double *xs, int n);\n\
         unsigned crc(const void *data, size_t size);\n\
         int find(const char *text, size_t length, int c);\n\
         int render(double x, char *buffer, size_t size);\n\
         int pack(unsigned char *dest, unsigned long *destLen, const unsigned char *source, unsigned long sourceLen);\n\
         double norm(const double *v);\n",
    );
    is(
        &found,
        "mean",
        &[
            "mean(x: [f64]) -> (value: f64, var: f64)",
            "  double var_given = (double)0;",
            "  value = mean(x, x_length, &var_given);",
            "  var = var_given;",
        ],
    );
    is(&found, "sd", &["sd(data: [f64]) -> f64", "  sd(data, 1, data_length)"]);
    is(
        &found,
        "dot",
        &["dot(x: [f64], y: [f64]) -> f64", "  dot(x, y, (x_length < y_length ? x_length : y_length))"],
    );
    is(&found, "total", &["total(xs: [i32]) -> i32", "  total(xs_length, xs)"]);
    is(&found, "sort", &["sort(xs: [f64])", "lower.xs = \"in-out\"", "  sort(xs, xs_length);"]);
    is(&found, "crc", &["crc(data: [u8]) -> u32", "  crc((void *)data, data_length)"]);
    is(&found, "find", &["find(text: text, c: i32) -> i32", "  find(text, text_length, c)"]);
    is(
        &found,
        "render",
        &[
            "render(x: f64) -> (status: i32, buffer: text)",
            "  static char buffer_buffer[4097]; const size_t buffer_buffer_length = 4096;",
            "  memset(buffer_buffer, 0, sizeof buffer_buffer);",
            "  status = render(x, buffer_buffer, buffer_buffer_length);",
            "  buffer = buffer_buffer;",
        ],
    );
    is(
        &found,
        "pack",
        &[
            "pack(source: [u8]) -> (status: i32, dest: [u8])",
            "  static unsigned char dest_buffer[4097]; const size_t dest_buffer_length = 4096;",
            "  memset(dest_buffer, 0, sizeof dest_buffer);",
            "  unsigned long destLen = dest_buffer_length;",
            "  status = pack(dest_buffer, &destLen, source, source_length);",
            "  dest = (void *)dest_buffer; dest_length = destLen;",
        ],
    );
    is_left(&found, "norm", "nothing tells how many elements");
}

#[test]
fn structs_are_their_fields_and_enumerations_their_constants() {
    let found = of(
        "a.h",
        "struct point { double x, y; };\n\
         struct date { int year; struct { unsigned char month, day; } in; char zone[8]; };\n\
         enum mode { SLOW, FAST = 4, FASTER };\n\
         typedef enum { UP = -1, DOWN } way;\n\
         union either { int i; float f; };\n\
         struct holder { char *name; };\n\
         double far(struct point a, const struct point *b);\n\
         struct point mirrored(struct point p, way w);\n\
         void moved(struct point *p, enum mode m);\n\
         int ordinal(struct date d);\n\
         int which(union either e);\n\
         int held(struct holder h);\n",
    );
    is(
        &found,
        "far",
        &[
            "far(a_x: f64, a_y: f64, b_x: f64, b_y: f64) -> f64",
            "  struct point a = {0};",
            "  a.x = a_x;",
            "  a.y = a_y;",
            "  struct point b = {0};",
            "  b.x = b_x;",
            "  b.y = b_y;",
            "  out = far(a, &b);",
        ],
    );
    is(
        &found,
        "mirrored",
        &[
            "mirrored(p_x: f64, p_y: f64, w: i32) -> (x: f64, y: f64)",
            "domain.w = { values = [-1, 0] }",
            "  struct point p = {0};",
            "  p.x = p_x;",
            "  p.y = p_y;",
            "  struct point returned = mirrored(p, w);",
            "  x = returned.x;",
            "  y = returned.y;",
        ],
    );
    is(
        &found,
        "moved",
        &[
            "moved(p_x: f64, p_y: f64, m: i32) -> (x: f64, y: f64)",
            "domain.m = { values = [0, 4, 5] }",
            "  struct point p = {0};",
            "  p.x = p_x;",
            "  p.y = p_y;",
            "  moved(&p, m);",
            "  x = p.x;",
            "  y = p.y;",
        ],
    );
    let ordinal = found.functions.iter().find(|function| function.name == "ordinal").expect("it is there");
    assert_eq!(
        ordinal.signature(),
        "ordinal(d_year: i32, d_in_month: u8, d_in_day: u8, d_zone: text) -> i32"
    );
    is_left(&found, "which", "`union either` is a union");
    is_left(&found, "held", "`struct holder` has fields that are neither numbers nor arrays");
}

#[test]
fn what_nothing_tells_is_refused_and_never_guessed() {
    let found = of(
        "a.h",
        "#include <stddef.h>\n\
         void minmax(const int *xs, int n, int *min, int *max);\n\
         void fill(double *xs, double value, size_t n);\n\
         void vset(double v[], double x);\n\
         unsigned hash(const char *key, size_t seed);\n\
         unsigned checksum(void *data, int kind);\n\
         void sortx(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *));\n\
         int cmp(const void *a, const void *b);\n\
         void greet(const char *name, char *out);\n\
         void rot(char *data, size_t n, int by);\n\
         int area();\n\
         enum big { HUGE_ONE = 0x80000000u };\n\
         int sel(enum big b);\n\
         int find(const char *text, int from, int text_length);\n\
         void sum(const int *xs, size_t n, int *sum);\n\
         struct vec { double x, y; };\n\
         void normalize(struct vec *v);\n\
         double second(const double *, size_t);\n",
    );
    let signature = |name: &str| {
        found
            .functions
            .iter()
            .find(|function| function.name == name)
            .map(Callable::signature)
            .unwrap_or_default()
    };
    assert_eq!(signature("minmax"), "minmax(xs: [i32]) -> (min: i32, max: i32)");
    is_left(&found, "fill", "nothing tells whether `n` is the number of its elements");
    is_left(&found, "vset", "nothing tells how many elements");
    assert_eq!(signature("hash"), "hash(key: text, seed: u32) -> u32");
    is_left(&found, "checksum", "`data` is a `void *`");
    is_left(&found, "sortx", "elements of any type");
    is_left(&found, "greet", "how much room");
    is(
        &found,
        "rot",
        &["rot(data: [u8], by: i32)", "lower.data = \"in-out\"", "  rot((char *)data, data_length, by);"],
    );
    is_left(&found, "area", "`()` is not `(void)`");
    assert_eq!(signature("sel"), "sel(b: u32) -> i32");
    assert_eq!(signature("find"), "find(text: text, from: i32, text_length_2: i32) -> i32");
    assert_eq!(signature("sum"), "sum(xs: [i32]) -> i32");
    assert_eq!(signature("normalize"), "normalize(v_x: f64, v_y: f64) -> (x: f64, y: f64)");
    is(&found, "second", &["second(a: [f64]) -> f64", "  second(a, a_length)"]);
}

#[test]
fn handles_are_made_used_and_freed_in_one_call() {
    let found = of(
        "a.h",
        "typedef struct tree tree;\n\
         tree *tree_new(void);\n\
         tree *tree_parse(const char *text);\n\
         void tree_free(tree *t);\n\
         char *tree_print(const tree *t);\n\
         int tree_size(const tree *t);\n\
         void tree_add(tree *t, int value);\n\
         tree *tree_merged(const tree *a, const tree *b);\n\
         struct other;\n\
         int use(struct other *o);\n",
    );
    is(
        &found,
        "tree_size",
        &[
            "tree_size(t: text) -> i32",
            "lower.t = \"nul-terminated\"",
            "  struct tree *t_made = tree_parse(t);",
            "  out = tree_size(t_made);",
            "  tree_free(t_made);",
        ],
    );
    is(
        &found,
        "tree_add",
        &[
            "tree_add(t: text, value: i32) -> Option<text>",
            "lower.t = \"nul-terminated\"",
            "  struct tree *t_made = tree_parse(t);",
            "  tree_add(t_made, value);",
            "  out = tree_print(t_made);",
        ],
    );
    is(
        &found,
        "tree_parse",
        &[
            "tree_parse(text: text) -> Option<text>",
            "lower.text = \"nul-terminated\"",
            "  tree_print(tree_parse(text))",
        ],
    );
    is_left(&found, "tree_free", "nothing is left to compare");
    is_left(&found, "use", "`o` is a `struct other *`, and no function makes one");
}

#[test]
fn what_a_function_frees_by_its_name_is_not_used_behind_it() {
    let found = of(
        "a.h",
        "typedef struct tree tree;\n\
         char *tree_print_and_free(tree *t);\n\
         tree *tree_parse(const char *text);\n\
         char *tree_print(const tree *t);\n\
         int tree_close(tree *t, int flags);\n\
         void freeTree(tree *t, int deep);\n\
         int tree_end(tree *t);\n\
         int tree_is_free(const tree *t);\n\
         void tree_delete_item(tree *t, short which);\n\
         void tree_each(tree *t, void (*f)(tree *, int));\n\
         typedef struct zip zip;\n\
         zip *zip_parse(const char *text);\n\
         int zip_end(zip *z);\n\
         struct point { double x, y; };\n\
         int point_free(struct point *p);\n\
         int point_decref(struct point *p);\n\
         int closest(struct point *p);\n\
         void text_free(char *text);\n\
         int cells_free(double *cells, unsigned long n);\n",
    );
    for (name, what) in [
        ("tree_print_and_free", "struct tree *"),
        ("tree_close", "struct tree *"),
        ("freeTree", "struct tree *"),
        ("zip_end", "struct zip *"),
        ("point_free", "struct point *"),
        ("point_decref", "struct point *"),
        ("text_free", "char *"),
        ("cells_free", "double *"),
    ] {
        is_left(
            &found,
            name,
            &format!("by its name it takes a `{what}` away, and nothing is left to compare"),
        );
    }
    is_left(&found, "tree_each", "`f` is the address of a function");
    is(
        &found,
        "tree_delete_item",
        &[
            "tree_delete_item(t: text, which: i16) -> Option<text>",
            "lower.t = \"nul-terminated\"",
            "  struct tree *t_made = tree_parse(t);",
            "  tree_delete_item(t_made, which);",
            "  out = tree_print(t_made);",
        ],
    );
    // Others free a tree, so that one which ends is not freed.
    assert_eq!(
        signatures(&found),
        [
            "tree_parse(text: text) -> Option<text>",
            "tree_print(t: text) -> Option<text>",
            "tree_end(t: text) -> (status: i32, t_after: Option<text>)",
            "tree_is_free(t: text) -> i32",
            "tree_delete_item(t: text, which: i16) -> Option<text>",
            "closest(p_x: f64, p_y: f64) -> (status: i32, x: f64, y: f64)",
        ]
    );
}

#[test]
fn enumerations_are_as_wide_as_their_values() {
    let found = of(
        "a.hpp",
        "enum class wide : long long { A, B = 1LL << 40 };\n\
         enum class small : unsigned char { A, B = 200 };\n\
         enum whole { ZERO, MOST = 0xffffffffffffffffULL };\n\
         enum low { LOW = -1, HIGH = 0x7fffffffffffffffLL };\n\
         wide next(wide w);\n\
         small other(small s);\n\
         whole rest(whole w);\n\
         void low_of(low &l);\n",
    );
    is(
        &found,
        "next",
        &[
            "next(w: i64) -> i64",
            "domain.w = { values = [0, 1099511627776] }",
            "  static_cast<int64_t>(next(static_cast<wide>(w)))",
        ],
    );
    is(
        &found,
        "other",
        &[
            "other(s: u8) -> u8",
            "domain.s = { values = [0, 200] }",
            "  static_cast<unsigned char>(other(static_cast<small>(s)))",
        ],
    );
    // A manifest has no number so large.
    is(&found, "rest", &["rest(w: u64) -> u64", "  static_cast<uint64_t>(rest(static_cast<whole>(w)))"]);
    is(
        &found,
        "low_of",
        &[
            "low_of(l: i64) -> i64",
            "domain.l = { values = [-1, 9223372036854775807] }",
            "  low l_given = static_cast<low>(l);",
            "  low_of(l_given);",
            "  out = static_cast<int64_t>(l_given);",
        ],
    );
}

#[test]
fn arrays_of_a_length_that_is_written_take_no_other() {
    let found = of(
        "a.h",
        "#define N 4\n\
         typedef double vec3[3];\n\
         struct place { vec3 at; };\n\
         double norm(const double v[static 3], const vec3 w);\n\
         void turn(vec3 v, double by);\n\
         void made(double x, vec3 out);\n\
         double far(struct place p);\n\
         double several(const double v[N]);\n\
         void tag(char name[8]);\n\
         double mean(const double xs[8], int n);\n",
    );
    is(
        &found,
        "norm",
        &[
            "norm(v: [f64], w: [f64]) -> f64",
            "domain.v = { length = 3 }",
            "domain.w = { length = 3 }",
            "  if (v_length != 3) abort();",
            "  if (w_length != 3) abort();",
            "  out = norm(v, w);",
        ],
    );
    is(
        &found,
        "turn",
        &[
            "turn(v: [f64], by: f64)",
            "lower.v = \"in-out\"",
            "domain.v = { length = 3 }",
            "  if (v_length != 3) abort();",
            "  turn(v, by);",
        ],
    );
    is(
        &found,
        "made",
        &[
            "made(x: f64) -> [f64]",
            "  double out_given[3] = {0};",
            "  made(x, out_given);",
            "  out = (void *)out_given; out_length = 3;",
        ],
    );
    is(
        &found,
        "far",
        &[
            "far(p_at: [f64]) -> f64",
            "domain.p_at = { length = 3 }",
            "  struct place p = {0};",
            "  if (p_at_length != 3) abort();",
            "  memcpy(p.at, p_at, sizeof p.at);",
            "  out = far(p);",
        ],
    );
    is_left(&found, "several", "`v` is a `const double[]`, and nothing tells how many elements");
    is_left(&found, "tag", "`name` is a `char[8]`, and nothing tells whether that is a text");
    is(&found, "mean", &["mean(xs: [f64]) -> f64", "  mean(xs, xs_length)"]);
    let found = of(
        "a.hpp",
        "double norm(const double v[3], const double *w = nullptr);\nlong sum(const long v[2]);\n",
    );
    is_left(&found, "norm", "`w` is a `const double *`");
    is(
        &found,
        "sum",
        &[
            "sum(v: [i32]) -> i32",
            "domain.v = { length = 2 }",
            "  if (v.size() != 2) abort();",
            "  out = sum((const long *)v.data());",
        ],
    );
}

#[test]
fn fields_of_structs_without_a_name_are_those_of_the_struct_around_them() {
    let found = of(
        "a.h",
        "struct flat { int a; struct { int b; struct { int c; }; struct { int e; } d; }; };\n\
         struct either { int a; union { int b; float c; }; };\n\
         struct many { struct { int a; } of[3]; };\n\
         struct vector { double at[3]; };\n\
         int sum(struct flat f);\n\
         int which(struct either e);\n\
         int all(struct many m);\n\
         double norm(struct vector v);\n",
    );
    is(
        &found,
        "sum",
        &[
            "sum(f_a: i32, f_b: i32, f_c: i32, f_d_e: i32) -> i32",
            "  struct flat f = {0};",
            "  f.a = f_a;",
            "  f.b = f_b;",
            "  f.c = f_c;",
            "  f.d.e = f_d_e;",
            "  out = sum(f);",
        ],
    );
    is_left(&found, "which", "`e`: `struct either` holds a union, and nothing tells which of its parts");
    is_left(&found, "all", "`m`: `struct many` has fields that are neither numbers nor arrays of numbers");
    is(
        &found,
        "norm",
        &[
            "norm(v_at: [f64]) -> f64",
            "domain.v_at = { length = 3 }",
            "  struct vector v = {0};",
            "  if (v_at_length != 3) abort();",
            "  memcpy(v.at, v_at, sizeof v.at);",
            "  out = norm(v);",
        ],
    );
}

#[test]
fn callbacks_are_functions_of_the_library_and_what_has_no_value_says_why() {
    let found = of(
        "a.h",
        "#include <stdarg.h>\n#include <stdio.h>\n\
         double square(double x);\n\
         double integral(double (*f)(double), double a, double b);\n\
         double with(double (*f)(double, void *), void *params);\n\
         int logged(const char *format, ...);\n\
         int vlogged(const char *format, va_list arguments);\n\
         int dump(FILE *to, int x);\n\
         long double wide(long double x);\n\
         void nothing(int x);\n\
         int in(int in, int out, int len);\n",
    );
    is(&found, "integral", &["integral(a: f64, b: f64) -> f64", "  integral(square, a, b)"]);
    is_left(&found, "with", "`f` is the address of a function");
    is_left(&found, "logged", "any number of arguments");
    is_left(&found, "vlogged", "`arguments` is a list of any arguments");
    is_left(&found, "dump", "`to` is a `struct _IO_FILE *`");
    is_left(&found, "wide", "long double");
    is_left(&found, "nothing", "it gives nothing that a relation could compare");
    is(&found, "in_", &["in_(in_: i32, out_: i32, len: i32) -> i32", "  in(in_, out_, len)"]);
}

#[test]
fn cxx_has_texts_and_vectors() {
    let found = of(
        "a.hpp",
        &(STD.to_owned()
            + "namespace text {\n\
         enum class Mode { A, B = 3 };\n\
         std::string twice(const std::string &s, Mode m);\n\
         void trim(std::string &s);\n\
         int total(const std::vector<int> &xs);\n\
         std::vector<double> sorted(std::vector<double> xs);\n\
         void bump(int &x);\n\
         int count(std::span<const int> xs);\n\
         template <class T> T biggest(T a, T b);\n\
         }\n\
         class Ellipsoid { double a_; Ellipsoid(); public: Ellipsoid(double a, double f); static double degrees(double radians);\n\
         double area() const; void shift(double by, double &rest); private: double hidden() const; };\n\
         namespace geo { class Math { public: typedef double real; enum side { L, R }; }; class Arc { public: typedef Math::real real;\n\
         static void split(real whole, real &half, Math::side s); }; }\n\
         struct Counter { int n = 0; int next(int by) { return n += by; } Counter(const Counter &) = delete; Counter(); };\n\
         extern \"C\" int plain(const char *s);\n"),
    );
    is(
        &found,
        "twice",
        &[
            "twice(s: text, m: i32) -> text",
            "domain.m = { values = [0, 3] }",
            "  text::twice(s, static_cast<text::Mode>(m))",
        ],
    );
    is(&found, "trim", &["trim(s: text) -> text", "  text::trim(s);", "  out = s;"]);
    is(&found, "total", &["total(xs: [i32]) -> i32", "  text::total(xs)"]);
    is(&found, "sorted", &["sorted(xs: [f64]) -> [f64]", "  text::sorted(xs)"]);
    is(&found, "bump", &["bump(x: i32) -> i32", "  text::bump(x);", "  out = x;"]);
    is(&found, "count", &["count(xs: [i32]) -> i32", "  text::count(xs)"]);
    is(&found, "degrees", &["degrees(radians: f64) -> f64", "  Ellipsoid::degrees(radians)"]);
    is(
        &found,
        "area",
        &[
            "area(ellipsoid_a: f64, ellipsoid_f: f64) -> f64",
            "  Ellipsoid ellipsoid_made(ellipsoid_a, ellipsoid_f);",
            "  out = ellipsoid_made.area();",
        ],
    );
    is(
        &found,
        "shift",
        &[
            "shift(by: f64, rest: f64, ellipsoid_a: f64, ellipsoid_f: f64) -> f64",
            "  Ellipsoid ellipsoid_made(ellipsoid_a, ellipsoid_f);",
            "  ellipsoid_made.shift(by, rest);",
            "  out = rest;",
        ],
    );
    is(
        &found,
        "next",
        &["next(by: i32) -> i32", "  Counter counter_made;", "  out = counter_made.next(by);"],
    );
    assert!(found.functions.iter().all(|function| function.name != "hidden"));
    is(&found, "plain", &["plain(s: text) -> i32", "lower.s = \"nul-terminated\"", "  plain(s.c_str())"]);
}

/// What stands for the standard library, whose own headers make large trees.
const STD: &str = "namespace std { inline namespace __1 {\n\
    template <class C> class basic_string; using string = basic_string<char>; template <class T> class vector; template <class T> class span; } }\n";

#[test]
fn what_has_the_bits_of_another_type_is_converted() {
    let header = "enum class Mode : char { A };\n\
         std::vector<bool> flipped(const std::vector<bool> &xs);\n\
         std::vector<long> sorted(const std::vector<long> &xs);\n\
         void bump(std::vector<long> &xs);\n\
         std::vector<Mode> modes(std::vector<Mode> all);\n\
         int eaten(std::string &&s, std::vector<int> &&xs);\n\
         void grow(long &x);\n\
         int total(const long *xs, int n);\n\
         int of(int x);\n\
         int of(long x);\n";
    let found = of("a.hpp", &format!("{STD}{header}"));
    is(&found, "flipped", &["flipped(xs: [bool]) -> [bool]", "  flipped(xs)"]);
    is(
        &found,
        "sorted",
        &[
            "sorted(xs: [i32]) -> [i32]",
            "  std::vector<long> xs_given(xs.begin(), xs.end());",
            "  { auto given = sorted(xs_given); out.assign(given.begin(), given.end()); }",
        ],
    );
    is(
        &found,
        "bump",
        &[
            "bump(xs: [i32]) -> [i32]",
            "  std::vector<long> xs_given(xs.begin(), xs.end());",
            "  bump(xs_given);",
            "  { auto given = xs_given; out.assign(given.begin(), given.end()); }",
        ],
    );
    is(
        &found,
        "modes",
        &[
            "modes(all: [i8]) -> [i8]",
            "  std::vector<Mode> all_given;",
            "  for (auto each : all) all_given.push_back(static_cast<Mode>(each));",
            "  for (auto each_2 : modes(all_given)) out.push_back(static_cast<signed char>(each_2));",
        ],
    );
    is(&found, "eaten", &["eaten(s: text, xs: [i32]) -> i32", "  eaten(std::move(s), std::move(xs))"]);
    is(
        &found,
        "grow",
        &[
            "grow(x: i32) -> i32",
            "  long x_given = static_cast<long>(x);",
            "  grow(x_given);",
            "  out = static_cast<int>(x_given);",
        ],
    );
    is(&found, "total", &["total(xs: [i32]) -> i32", "  total((const long *)xs.data(), xs.size())"]);
    is(&found, "of", &["of(x: i32) -> i32", "  of(x)"]);
    is(&found, "of_2", &["of_2(x: i32) -> i32", "  of(static_cast<long>(x))"]);
}

#[test]
fn what_a_function_throws_and_where_its_result_stands_change_nothing() {
    let found = of(
        "a.hpp",
        "int risky(int x) noexcept(false);\n\
         int sure(int x) noexcept(sizeof(int) == 4);\n\
         auto behind(int x) -> double;\n\
         auto deduced(int x);\n\
         decltype(auto) exact(int x);\n\
         inline auto seen(int x) { return x * 2u; }\n\
         struct Box { int x; int held() const noexcept(false); };\n",
    );
    assert_eq!(
        signatures(&found),
        [
            "risky(x: i32) -> i32",
            "sure(x: i32) -> i32",
            "behind(x: i32) -> f64",
            "seen(x: i32) -> u32",
            "held(box_x: i32) -> i32",
        ]
    );
    is_left(&found, "deduced", "its result is `auto`, and what that is stands in its code alone");
    is_left(&found, "exact", "its result is `decltype(auto)`");
}

#[test]
fn functions_of_sources_are_declared_as_their_language_links_them() {
    let source = "namespace geo { double area(const double *xs, unsigned long n); namespace { int hidden(int x); } }\n\
         namespace geo::deep { std::string shown(const std::string &s, std::vector<long> &xs, bool all); }\n\
         extern \"C\" { int plain(const char *const *texts, long n); }\n\
         namespace geo { extern \"C\" int inside(void); }\n\
         int twice(int x); long twice(long x); struct pair; int twice(pair *p);\n\
         enum class mode { A }; int by(mode m);\n\
         static int own(int x);\n\
         struct box { static int made(int x); };\n";
    let unit = unit("a.cpp", &format!("{STD}{source}"));
    let declared = |name: &str| unit.declarations(name, Dialect::Cxx);
    assert_eq!(declared("geo::area"), ["namespace geo { double area(const double *, unsigned long); }"]);
    assert_eq!(
        declared("geo::deep::shown"),
        ["namespace geo::deep { std::string shown(const std::string &, std::vector<long> &, bool); }"]
    );
    assert_eq!(declared("plain"), ["extern \"C\" int plain(const char * const *, int);"]);
    assert_eq!(declared("geo::inside"), ["namespace geo { extern \"C\" int inside(void); }"]);
    assert_eq!(declared("twice"), ["int twice(int);", "long twice(long);"]);
    for name in ["geo::hidden", "by", "own", "box::made", "nowhere"] {
        assert_eq!(declared(name), [""; 0], "{name}");
    }
    assert_eq!(unit.declarations("twice", Dialect::C).first().map(String::as_str), Some("int twice(int);"));
}

/// What calls of a probe leave behind its only pointer, whose elements have so many bytes, of each row for two patterns; the other calls are as the first one.
fn left(bytes: usize, rows: &[[Vec<u8>; 2]]) -> [Calls; PATTERNS.len()] {
    std::array::from_fn(|call| {
        let [first, rest] = PATTERNS[call].map(i128::from);
        let mut left = Ragged::new();
        for row in rows {
            let mut room = vec![rest; 2048];
            room[..bytes].fill(first);
            row[usize::from(call == 1)].iter().enumerate().for_each(|(at, byte)| room[at] = (*byte).into());
            left.push(&room);
        }
        let outputs = vec![Column::Sequence(SequenceColumn::Int(left))];
        Calls { outcomes: vec![Outcome::Returned; rows.len()], outputs }
    })
}

#[test]
fn numbers_of_64_bits_have_the_type_that_the_source_names() {
    let found =
        of("a.hpp", "#include <stdint.h>\nvoid rest(long long &cents);\nvoid more(int64_t &cents);\n");
    let rest = shown(found.functions.iter().find(|one| one.name == "rest").expect("found"));
    assert!(
        rest.iter().any(|line| line == "  long long cents_given = static_cast<long long>(cents);"),
        "{rest:?}"
    );
    let more = shown(found.functions.iter().find(|one| one.name == "more").expect("found"));
    assert!(more.iter().any(|line| line == "  more(cents);"), "{more:?}");
}

#[test]
fn characters_that_are_a_result_by_their_name_have_room() {
    let found = of("a.h", "int encode(unsigned c, char *out);\nint lower(char *text);\n");
    let signature =
        |name: &str| found.functions.iter().find(|one| one.name == name).expect("found").signature();
    assert_eq!(signature("encode"), "encode(c: u32) -> (status: i32, out_: text)");
    assert_eq!(signature("lower"), "lower(text: text) -> i32");
}

#[test]
fn what_calls_write_through_a_reference_is_an_output_alone() {
    let unit = unit("a.hpp", "void split(double x, double &whole);\nvoid next(long &n);\n");
    let is_of = |file: &str| file == "a.hpp";
    let probes = probes(&unit, &is_of, Dialect::Cxx);
    let probed = shown(&probes.interface.functions[0]);
    assert!(probed.iter().any(|line| line == "  (void)split(x, *(double *)whole_probed);"), "{probed:?}");
    let mut seen = Seen::default();
    let pattern = || Column::Int(vec![0; 20]);
    let rows = vec![[vec![7; 8], vec![7; 8]]; 20];
    let arguments = [pattern(), pattern(), Column::Float(vec![1.0; 20])];
    probes.note("probe_0", &arguments, &left(8, &rows), &mut seen);
    let rows = vec![[vec![1; 4], vec![2; 4]]; 20];
    probes.note("probe_1", &arguments[..2], &left(4, &rows), &mut seen);
    let found = interface_as_seen(&unit, &is_of, Dialect::Cxx, &seen);
    is(
        &found,
        "split",
        &[
            "split(x: f64) -> f64",
            "  double whole_given = (double)0;",
            "  split(x, whole_given);",
            "  out = whole_given;",
        ],
    );
    let next = shown(found.functions.iter().find(|one| one.name == "next").expect("found"));
    assert_eq!(next[0], "next(n: i32) -> i32", "what is read is a parameter too");
}

#[test]
fn what_calls_write_behind_a_pointer_decides_what_stands_there() {
    const HEADER: &str = "void powers(double x, int most, double *into);\nvoid advance(unsigned *state);\n\
                          void split(double x, double *whole);\nvoid pick(int which, short *chosen);\nvoid keeps(int *p);\nint parse(const char *text, int *hours);\n\
                          void counts(int n, int *to);\nvoid fills(int n, int *to);\nvoid sums(int which, int *all);\nvoid tick(int *hour);\n";
    let unit = unit("a.h", HEADER);
    let is_of = |file: &str| file == "a.h";
    let probes = probes(&unit, &is_of, Dialect::C);
    is(
        &probes.interface,
        "probe_0",
        &[
            "probe_0(probe_first: u8, probe_rest: u8, x: f64, most: i32) -> [u8]",
            "domain.x = { range = [0.1, 4.0] }",
            "domain.most = { values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 33, 100] }",
            "  static unsigned char into_probed[2048] __attribute__((aligned(16)));",
            "  memset(into_probed, probe_rest ^ (0x11 * 0 & 255), sizeof into_probed);",
            "  memset(into_probed, probe_first ^ (0x11 * 0 & 255), sizeof(double));",
            "  if (probe_first < 64) *(double *)into_probed = (double)(probe_first / 2.0);",
            "  (void)powers(x, most, (double *)into_probed);",
            "  out = into_probed; out_length = sizeof into_probed;",
        ],
    );
    let mut seen = Seen::default();
    let both = |bytes: usize| [vec![7; bytes], vec![7; bytes]];
    let ints = |rows: usize, of: &dyn Fn(usize) -> i128| Column::Int((0..rows).map(of).collect());
    let floats = Column::Float(vec![1.0; 20]);
    // Nothing of the pattern is left of what is written, and the number of elements is one more than the parameter.
    let rows: Vec<[Vec<u8>; 2]> = (0..20).map(|row| both(8 * (row % 5 + 1))).collect();
    let pattern = || ints(20, &|_| 0);
    let arguments = [pattern(), pattern(), floats.clone(), ints(20, &|row| row as i128 % 5)];
    probes.note("probe_0", &arguments, &left(8, &rows), &mut seen);
    // What is written depends on what was there.
    let rows = vec![[vec![1; 4], vec![2; 4]]; 20];
    probes.note("probe_1", &arguments[..2], &left(4, &rows), &mut seen);
    probes.note("probe_2", &[pattern(), pattern(), floats], &left(8, &vec![both(8); 20]), &mut seen);
    // Two or three elements, for no reason that shows.
    let rows: Vec<[Vec<u8>; 2]> = (0..20).map(|row| both(2 * (row % 2 + 2))).collect();
    let arguments = [pattern(), pattern(), ints(20, &|row| row as i128 % 7)];
    probes.note("probe_3", &arguments, &left(2, &rows), &mut seen);
    probes.note("probe_4", &arguments[..2], &left(4, &vec![both(0); 20]), &mut seen);
    probes.note("probe_5", &arguments[..2], &left(4, &vec![both(0); 20]), &mut seen);
    // More than the length by its name says, which it is not.
    let rows: Vec<[Vec<u8>; 2]> = (0..20).map(|row| both(4 * (row % 7 + 1))).collect();
    probes.note("probe_6", &arguments, &left(4, &rows), &mut seen);
    // No more than that, and so an array that is changed.
    let rows: Vec<[Vec<u8>; 2]> = (0..20).map(|row| both(4 * (row % 7))).collect();
    probes.note("probe_7", &arguments, &left(4, &rows), &mut seen);
    // A number that is 0 again where it was large, and one more where it was small.
    let mut calls = left(4, &vec![both(4); 20]);
    calls[4] = left(4, &vec![[vec![9; 4], vec![9; 4]]; 20])[0].clone();
    probes.note("probe_9", &arguments[..2], &calls, &mut seen);
    // The first element is the sum of all.
    let mut calls = left(4, &vec![both(4); 20]);
    calls[2] = left(4, &vec![[vec![9; 4], vec![9; 4]]; 20])[0].clone();
    probes.note("probe_8", &arguments, &calls, &mut seen);
    let found = interface_as_seen(&unit, &is_of, Dialect::C, &seen);
    is(
        &found,
        "powers",
        &[
            "powers(x: f64, most: i32) -> [f64]",
            "  static double into_buffer[4096];",
            "  memset(into_buffer, 0, sizeof into_buffer);",
            "  long long into_count = (long long)most + 1; if (into_count < 0 || into_count > 4096) __builtin_trap();",
            "  powers(x, most, into_buffer);",
            "  out = into_buffer; out_length = (size_t)into_count;",
        ],
    );
    let advance = [
        "advance(state: u32) -> u32",
        "  unsigned int state_given = (unsigned int)state;",
        "  advance(&state_given);",
        "  out = state_given;",
    ];
    is(&found, "advance", &advance);
    let tick = found.functions.iter().find(|one| one.name == "tick").map(|one| one.signature());
    assert_eq!(tick.as_deref(), Some("tick(hour: i32) -> i32"));
    is(
        &found,
        "split",
        &[
            "split(x: f64) -> f64",
            "  double whole_given = (double)0;",
            "  split(x, &whole_given);",
            "  out = whole_given;",
        ],
    );
    is_left(&found, "pick", "calls wrote up to 3 elements there, and nothing tells how many");
    is_left(&found, "keeps", "20 calls wrote nothing there");
    is_left(&found, "sums", "nothing tells how many");
    let signature =
        |name: &str| found.functions.iter().find(|one| one.name == name).map(|one| one.signature());
    assert_eq!(signature("counts").as_deref(), Some("counts(n: i32) -> [i32]"));
    assert_eq!(signature("fills").as_deref(), Some("fills(to: [i32])"));
    // No random text is one that is read.
    assert!(
        found
            .functions
            .iter()
            .any(|function| function.signature() == "parse(text: text) -> (status: i32, hours: i32)")
    );
}
