A value is a Boolean, a BigInteger, a Double, a String or a List of values. What has no value, as after a division by zero, is null.
A byte of a text that is not UTF-8 is the lone surrogate 0xDC00 + byte.

//: MR_UNDEFINED
/** What has no value, as after a division by zero; what is made of it has none either. */
private static final Object MR_UNDEFINED = null;

//: mrIsTrue
private static boolean mrIsTrue(Object a) {
    return Boolean.TRUE.equals(a);
}

//: mrWhole
private static BigInteger mrWhole(long whole) {
    return BigInteger.valueOf(whole);
}

//: mrEvery
/** A sequence of values; undefined where one is. */
private static Object mrEvery(List<Object> values) {
    return values.contains(null) ? null : values;
}

//: mrList
/** A sequence of these values; undefined where one is. */
private static Object mrList(Object... values) {
    return mrEvery(Arrays.asList(values));
}

//: mrMade
/** Whether all arguments of a call have a value. */
private static boolean mrMade(Object... arguments) {
    return !Arrays.asList(arguments).contains(null);
}

//: mrShown
/** A value as messages show it. */
private static String mrShown(Object a) {
    if (a instanceof List<?> items) {
        return items.stream().map(item -> mrShown(item)).collect(Collectors.joining(", ", "[", "]"));
    }
    if (!(a instanceof String text)) {
        return a == null ? "undefined" : a.toString();
    }
    StringBuilder shown = new StringBuilder("\"");
    text.codePoints().forEach(c -> {
        if (c == '"' || c == '\\') {
            shown.append('\\').appendCodePoint(c);
        } else if (c < ' ' || c == 0x7f || Character.getType(c) == Character.SURROGATE) {
            shown.append(String.format("\\u%04x", c));
        } else {
            shown.appendCodePoint(c);
        }
    });
    return shown.append('"').toString();
}

//: mrWellFormed
/** A text in which each lone surrogate stands as its three bytes, which are not UTF-8. */
private static String mrWellFormed(String text) {
    StringBuilder whole = new StringBuilder();
    text.codePoints().forEach(c -> {
        if (Character.getType(c) != Character.SURROGATE) {
            whole.appendCodePoint(c);
            return;
        }
        for (int part : new int[] {0xe0 | c >> 12, 0x80 | c >> 6 & 0x3f, 0x80 | c & 0x3f}) {
            whole.append((char) (0xdc00 + part));
        }
    });
    return whole.toString();
}
