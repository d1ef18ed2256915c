//: mrItems
/** The elements of a sequence, or the characters of a text as texts. */
private static List<Object> mrItems(Object s) {
    if (s instanceof String text) {
        List<Object> characters = new ArrayList<>();
        text.codePoints().forEach(c -> characters.add(Character.toString(c)));
        return characters;
    }
    return new ArrayList<>((List<?>) s);
}

//: mrLike
/** Elements as a text where the other is one. */
private static Object mrLike(Object s, List<Object> items) {
    return s instanceof String ? items.stream().map(item -> (String) item).collect(Collectors.joining()) : items;
}

//: mrChanged
/** A sequence or text whose elements are changed. */
private static Object mrChanged(Object s, UnaryOperator<List<Object>> change) {
    return s == null ? null : mrLike(s, change.apply(mrItems(s)));
}

//: mrLen
private static Object mrLen(Object s) {
    return s == null ? null : mrWhole(mrItems(s).size());
}

//: mrSum
private static Object mrSum(Object s) {
    return s == null ? null : mrItems(s).stream().reduce(BigInteger.ZERO, (sum, x) -> mrAdd(sum, x));
}

//: mrSumFloats
/** From left to right, also of no floats at all. */
private static Object mrSumFloats(Object s) {
    return s == null ? null : mrItems(s).stream().reduce(0.0, (sum, x) -> mrAdd(sum, x));
}

//: mrReverse
private static Object mrReverse(Object s) {
    return mrChanged(s, items -> {
        Collections.reverse(items);
        return items;
    });
}

//: mrElementOrder
/** The order of two elements or characters: below, at or above 0; 2 where either is NaN. */
private static int mrElementOrder(Object a, Object b) {
    if (a instanceof Boolean x && b instanceof Boolean y) {
        return Boolean.compare(x, y);
    }
    return a instanceof String s && b instanceof String t ? Integer.compare(s.codePointAt(0), t.codePointAt(0)) : mrCompare(a, b);
}

//: mrAscending
/** The order of two elements or characters in which NaN is last. */
private static int mrAscending(Object a, Object b) {
    Predicate<Object> isNan = x -> x instanceof Double real && real.isNaN();
    return isNan.test(a) || isNan.test(b) ? Boolean.compare(isNan.test(a), isNan.test(b)) : mrElementOrder(a, b);
}

//: mrSorted
/** Ascending; NaN last. */
private static Object mrSorted(Object s) {
    return mrChanged(s, items -> {
        items.sort((a, b) -> mrAscending(a, b));
        return items;
    });
}

//: mrSortedBy
/** In ascending order of the keys; undefined unless there is one key for each element. */
private static Object mrSortedBy(Object s, Object keys) {
    if (s == null || keys == null || mrItems(s).size() != mrItems(keys).size()) {
        return null;
    }
    List<Object> by = mrItems(keys);
    return mrChanged(s, items -> {
        Stream<Integer> places = IntStream.range(0, items.size()).boxed().sorted((a, b) -> mrAscending(by.get(a), by.get(b)));
        return places.map(items::get).collect(Collectors.toList());
    });
}

//: mrDistinct
/** Without the elements that stand before already. */
private static Object mrDistinct(Object s) {
    return mrChanged(s, items -> {
        List<Object> kept = new ArrayList<>();
        items.stream().filter(x -> kept.stream().noneMatch(y -> mrSame(x, y))).forEachOrdered(kept::add);
        return kept;
    });
}

//: mrPlace
/** A place in a sequence; one out of reach of any where it is. Null where it is no integer. */
private static Integer mrPlace(Object i) {
    BigInteger place = mrInteger(i);
    BigInteger reach = mrWhole(1 << 30);
    return place == null ? null : (Integer) place.max(reach.negate()).min(reach).intValue();
}

//: mrRemove
/** Counts from the end below zero; changes nothing where there is no such place. */
private static Object mrRemove(Object s, Object i) {
    Integer place = mrPlace(i);
    return place == null ? null : mrChanged(s, items -> {
        int hole = place < 0 ? place + items.size() : place;
        if (0 <= hole && hole < items.size()) {
            items.remove(hole);
        }
        return items;
    });
}

//: mrTruncate
/** The first n, or all where there are fewer. */
private static Object mrTruncate(Object s, Object n) {
    Integer kept = mrPlace(n);
    return kept == null ? null : mrChanged(s, items -> items.subList(0, Math.max(0, Math.min(kept, items.size()))));
}

//: mrSlice
/** Undefined where it reaches out of the sequence. */
private static Object mrSlice(Object s, Object start, Object end) {
    Integer from = mrPlace(start);
    Integer to = mrPlace(end);
    if (s == null || from == null || to == null || from < 0 || from > to || to > mrItems(s).size()) {
        return null;
    }
    return mrLike(s, mrItems(s).subList(from, to));
}

//: mrDropFirst
/** Undefined where it reaches out of the sequence. */
private static Object mrDropFirst(Object s, Object start) {
    return mrSlice(s, start, mrLen(s));
}

//: mrIndex
/** An element, or a text of one character. Undefined out of range. */
private static Object mrIndex(Object s, Object i) {
    Integer place = mrPlace(i);
    return s == null || place == null || place < 0 || place >= mrItems(s).size() ? null : mrItems(s).get(place);
}

//: mrConcat
private static Object mrConcat(Object s, Object t) {
    return t == null ? null : mrChanged(s, items -> {
        items.addAll(mrItems(t));
        return items;
    });
}

//: mrStandsAt
/** Whether a sequence stands in another at a place. */
private static boolean mrStandsAt(List<Object> part, List<Object> s, int place) {
    return 0 <= place && place + part.size() <= s.size() && mrSame(s.subList(place, place + part.size()), part);
}

//: mrContains
/** Whether a sequence has another inside, unbroken. */
private static Object mrContains(Object s, Object part) {
    if (s == null || part == null) {
        return null;
    }
    List<Object> items = mrItems(s);
    List<Object> inside = mrItems(part);
    return IntStream.rangeClosed(0, items.size()).anyMatch(i -> mrStandsAt(inside, items, i));
}

//: mrHasElement
private static Object mrHasElement(Object s, Object x) {
    return s == null || x == null ? null : (Object) mrItems(s).stream().anyMatch(item -> mrSame(item, x));
}

//: mrCount
/** How many elements equal x; in a text, how often the text x occurs without overlap. */
private static Object mrCount(Object s, Object x) {
    if (s == null || x == null) {
        return null;
    }
    List<Object> items = mrItems(s);
    if (!(s instanceof String)) {
        return mrWhole(items.stream().filter(item -> mrSame(item, x)).count());
    }
    List<Object> part = mrItems(x);
    long found = 0;
    for (int i = 0; i <= items.size(); ) {
        boolean here = mrStandsAt(part, items, i);
        found += here ? 1 : 0;
        i += here ? Math.max(part.size(), 1) : 1;
    }
    return mrWhole(found);
}

//: mrIsPrefixOf
private static Object mrIsPrefixOf(Object part, Object s) {
    return part == null || s == null ? null : (Object) mrStandsAt(mrItems(part), mrItems(s), 0);
}

//: mrIsSuffixOf
private static Object mrIsSuffixOf(Object part, Object s) {
    return part == null || s == null ? null : (Object) mrStandsAt(mrItems(part), mrItems(s), mrItems(s).size() - mrItems(part).size());
}

//: mrUpper
/** Character by character: a letter's form does not depend on the letters beside it. */
private static Object mrUpper(Object s) {
    return s == null ? null : mrItems(s).stream().map(c -> ((String) c).toUpperCase(Locale.ROOT)).collect(Collectors.joining());
}

//: mrLower
/** Character by character: a letter's form does not depend on the letters beside it. */
private static Object mrLower(Object s) {
    return s == null ? null : mrItems(s).stream().map(c -> ((String) c).toLowerCase(Locale.ROOT)).collect(Collectors.joining());
}

//: mrTrim
/** Without white space of ASCII at both ends. */
private static Object mrTrim(Object s) {
    return s == null ? null : ((String) s).replaceAll("\\A[ \\t\\n\\r\\x0b\\f]+|[ \\t\\n\\r\\x0b\\f]+\\z", "");
}

//: mrLines
/** A number for each line. */
private static Object mrLines(Object s) {
    if (!(s instanceof String text)) {
        return null;
    }
    List<Object> numbers = new ArrayList<>();
    long hash = 0xcbf29ce484222325L;
    int[] characters = text.codePoints().toArray();
    for (int i = 0; i < characters.length; i++) {
        boolean ends = characters[i] == '\n';
        if (!ends) {
            // A byte that is not UTF-8 is a lone surrogate.
            boolean isByte = 0xdc80 <= characters[i] && characters[i] < 0xdd00;
            hash = (hash ^ (isByte ? characters[i] - 0xdc00 + 0x110000 : characters[i])) * 0x100000001b3L;
        }
        if (ends || i + 1 == characters.length) {
            numbers.add(mrWhole(hash >>> 1));
            hash = 0xcbf29ce484222325L;
        }
    }
    return numbers;
}

//: mrToNumber
/** The number that a text is the decimal of. */
private static Object mrToNumber(Object a) {
    if (!(a instanceof String text)) {
        return null;
    }
    switch (text) {
        case "nan":
            return Double.NaN;
        case "inf":
            return Double.POSITIVE_INFINITY;
        case "-inf":
            return Double.NEGATIVE_INFINITY;
        default:
            break;
    }
    if (text.matches("-?[0-9]+")) {
        return mrExact(new BigInteger(text));
    }
    return text.matches("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?") ? Double.valueOf(text) : null;
}

//: mrText
/** As the relation language writes a number. */
private static Object mrText(Object a) {
    if (a instanceof Double x) {
        return x.isNaN() ? "nan" : x.isInfinite() ? (x > 0 ? "inf" : "-inf") : mrDigits(x);
    }
    return a == null ? null : a.toString();
}

/** A finite float in as few digits as give it back. */
private static String mrDigits(double x) {
    String sign = Math.copySign(1.0, x) < 0 ? "-" : "";
    if (x == 0) {
        return sign + "0.0";
    }
    BigDecimal exact = new BigDecimal(Math.abs(x));
    BigDecimal shortest = exact.round(new MathContext(17));
    for (int digits = 1; digits < 17; digits++) {
        BigDecimal rounded = exact.round(new MathContext(digits));
        if (rounded.doubleValue() == Math.abs(x)) {
            shortest = rounded;
            break;
        }
    }
    int exponent = shortest.precision() - shortest.scale() - 1;
    if (-4 <= exponent && exponent < 16) {
        String plain = shortest.stripTrailingZeros().toPlainString();
        return sign + plain + (plain.contains(".") ? "" : ".0");
    }
    String mantissa = shortest.movePointLeft(exponent).stripTrailingZeros().toPlainString();
    return sign + mantissa + "e" + exponent;
}
