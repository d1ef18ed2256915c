//: mrAll
/** Whether something is true of a value itself, or of every element of a sequence. Undefined is anything. */
private static boolean mrAll(Object a, Predicate<Object> truth) {
    return a == null || (a instanceof List<?> items ? items.stream().allMatch(truth) : truth.test(a));
}

//: mrFits
/** Whether a value is of a type, each element of a sequence of its elements'; undefined is. */
private static boolean mrFits(Object a, String type) {
    String element = type.startsWith("[") ? type.substring(1, type.length() - 1) : type;
    return mrAll(a, x -> switch (element) {
        case "bool", "f64" -> true;
        case "f32" -> !Double.isFinite(mrNumber(x)) || Float.isFinite((float) mrNumber(x));
        case "text" -> ((String) x).codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
        default -> mrIsOfBits(mrInteger(x), element.startsWith("u"), Integer.parseInt(element.substring(1)));
    });
}

private static boolean mrIsOfBits(BigInteger whole, boolean natural, int bits) {
    return whole != null && (natural ? whole.signum() >= 0 && whole.bitLength() <= bits : whole.bitLength() < bits);
}

//: MrRange
/** A closed range of numbers, or NaN alone. */
private record MrRange(Object low, Object high) { }

//: mrRange
private static MrRange mrRange(Object low, Object high) {
    return new MrRange(low, high);
}

//: mrOrder
/** The order of a number and a bound: exact between integers, else that of floats. */
private static int mrOrder(Object a, Object bound) {
    Object number = a instanceof Boolean truth ? mrWhole(truth ? 1 : 0) : a;
    boolean exact = number instanceof BigInteger && bound instanceof BigInteger;
    return exact ? mrCompare(number, bound) : mrCompare(mrNumber(number), mrNumber(bound));
}

//: mrInRanges
/** Whether each number is in one of some ranges. */
private static boolean mrInRanges(Object a, MrRange... ranges) {
    return mrAll(a, x -> Arrays.stream(ranges).anyMatch(range -> {
        int low = mrOrder(x, range.low());
        boolean nan = x instanceof Double real && real.isNaN() && range.low() instanceof Double end && end.isNaN();
        return nan || ((low == 0 || low == 1) && mrOrder(x, range.high()) <= 0);
    }));
}

//: mrIsNoneOf
/** Whether no number is one of some. */
private static boolean mrIsNoneOf(Object a, Object... numbers) {
    return mrAll(a, x -> Arrays.stream(numbers).noneMatch(number -> mrOrder(x, number) == 0));
}

//: mrHasNoNan
private static boolean mrHasNoNan(Object a) {
    return mrAll(a, x -> !(x instanceof Double real && real.isNaN()));
}

//: mrHasLength
private static boolean mrHasLength(Object s, long least, long most) {
    return s == null || (least <= mrItems(s).size() && mrItems(s).size() <= most);
}

//: mrHasAlphabet
/** Whether all characters are of an alphabet. */
private static boolean mrHasAlphabet(Object s, String alphabet) {
    return s == null || mrItems(alphabet).containsAll(mrItems(s));
}

//: mrIsOneOf
private static boolean mrIsOneOf(Object s, String... texts) {
    return s == null || Arrays.asList(texts).contains(s);
}

//: mrIsSorted
private static boolean mrIsSorted(Object s) {
    List<Object> items = s == null ? List.of() : mrItems(s);
    return IntStream.range(1, items.size()).allMatch(i -> mrElementOrder(items.get(i - 1), items.get(i)) <= 0);
}

//: mrIsDistinct
private static boolean mrIsDistinct(Object s) {
    List<Object> items = s == null ? List.of() : mrItems(s);
    return IntStream.range(0, items.size()).allMatch(i -> items.subList(0, i).stream().noneMatch(x -> mrSame(x, items.get(i))));
}

//: mrHasNoNul
private static boolean mrHasNoNul(Object s) {
    return s == null || mrItems(s).stream().noneMatch(x -> x.equals("\0") || x.equals(BigInteger.ZERO));
}
