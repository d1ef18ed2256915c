//: MrCall MrJudged MrStanding
/** What the failure of a call means: that the input is not eligible, that the relation is violated, or nothing by itself. */
private enum MrStanding { SOURCE, FOLLOW_UP, OBSERVED }

private record MrJudged(MrStanding standing, MrCall call) { }

/** A call of a method under test: its outputs are null where it did not return, and what it threw is null where it threw nothing. */
private record MrCall(String name, List<Object> arguments, boolean made, List<Object> outputs, Throwable thrown) {
    boolean returned() {
        return outputs != null;
    }

    boolean failed() {
        return made && outputs == null;
    }

    Object output(int index) {
        return returned() ? outputs.get(index) : null;
    }

    /** Whether it threw; undefined where it was not made. */
    Object traps() {
        return made ? (Object) (thrown != null) : null;
    }

    MrJudged source() {
        return new MrJudged(MrStanding.SOURCE, this);
    }

    MrJudged followUp() {
        return new MrJudged(MrStanding.FOLLOW_UP, this);
    }

    MrJudged observed() {
        return new MrJudged(MrStanding.OBSERVED, this);
    }

    @Override
    public String toString() {
        String ends = !made ? "is not called"
            : returned() ? "gives " + outputs.stream().map(output -> mrShown(output)).collect(Collectors.joining(", "))
            : thrown != null ? "throws " + thrown
            : "gives what is not of its type";
        return name + arguments.stream().map(argument -> mrShown(argument)).collect(Collectors.joining(", ", "(", ") ")) + ends;
    }
}

//: mrCall
/** Makes a call, unless an argument has no value. What it throws is an outcome of it; only what stops Java itself stops the tests. */
private static MrCall mrCall(String name, List<Object> arguments, Callable<List<Object>> call) {
    if (arguments.contains(null)) {
        return new MrCall(name, arguments, false, null, null);
    }
    try {
        return new MrCall(name, arguments, true, call.call(), null);
    } catch (MrMalformed malformed) {
        return new MrCall(name, arguments, true, null, null);
    } catch (MrMissing missing) {
        throw missing;
    } catch (Throwable thrown) {
        if (thrown instanceof VirtualMachineError error && !(thrown instanceof StackOverflowError)) {
            throw error;
        }
        return new MrCall(name, arguments, true, null, thrown);
    }
}

//: MrMalformed
/** A method returned what is not of its type. */
private static final class MrMalformed extends RuntimeException {
    private static final long serialVersionUID = 1;
}

//: MrMissing
/** A function that is not connected to a method yet. */
private static final class MrMissing extends Error {
    private static final long serialVersionUID = 1;

    MrMissing(String function) {
        super("write in Functions." + function + " which method is called");
    }
}

//: mrOutput
/** What a method gave, as a value of its type. */
private static Object mrOutput(String type, Object given) {
    if (given == null) {
        throw new MrMalformed();
    }
    if (type.startsWith("[")) {
        String element = type.substring(1, type.length() - 1);
        List<Object> outputs = new ArrayList<>();
        mrElements(given).forEach(item -> outputs.add(mrOutput(element, item)));
        return outputs;
    }
    Object output = switch (type) {
        case "bool" -> given instanceof Boolean ? given : null;
        case "f32", "f64" -> given instanceof Number number ? (Object) number.doubleValue() : null;
        case "text" -> mrTextGiven(given);
        default -> mrWholeGiven(given);
    };
    if (output == null || (!type.equals("text") && !mrFits(output, type))) {
        throw new MrMalformed();
    }
    return type.equals("f32") ? mrToSingle(output) : output;
}

/** The elements of an array or a collection. */
private static List<Object> mrElements(Object given) {
    if (given instanceof Collection<?> items) {
        return new ArrayList<>(items);
    }
    if (!given.getClass().isArray()) {
        throw new MrMalformed();
    }
    List<Object> elements = new ArrayList<>();
    for (int i = 0; i < Array.getLength(given); i++) {
        elements.add(Array.get(given, i));
    }
    return elements;
}

/** A text; of several texts their lines. */
private static String mrTextGiven(Object given) {
    boolean several = given instanceof Object[] || given instanceof Collection<?>;
    return mrWellFormed(several ? mrElements(given).stream().map(String::valueOf).collect(Collectors.joining("\n")) : given.toString());
}

private static Object mrWholeGiven(Object given) {
    if (given instanceof Character character) {
        return mrWhole(character);
    }
    if (given instanceof Double || given instanceof Float) {
        return mrInteger(((Number) given).doubleValue());
    }
    return given instanceof Number number ? new BigInteger(number.toString()) : null;
}

//: mrBooleanOf
private static boolean mrBooleanOf(Object a) {
    return (Boolean) a;
}

//: mrByteOf
private static byte mrByteOf(Object a) {
    return mrInteger(a).byteValue();
}

//: mrShortOf
private static short mrShortOf(Object a) {
    return mrInteger(a).shortValue();
}

//: mrCharOf
/** The unit of UTF-16 of this number, or the only one of a text. */
private static char mrCharOf(Object a) {
    if (a instanceof String text && text.length() != 1) {
        throw new IllegalArgumentException("a char is one unit of UTF-16, and this text has " + text.length());
    }
    return a instanceof String text ? text.charAt(0) : (char) mrInteger(a).intValue();
}

//: mrIntOf
private static int mrIntOf(Object a) {
    return mrInteger(a).intValue();
}

//: mrLongOf
private static long mrLongOf(Object a) {
    return mrInteger(a).longValue();
}

//: mrFloatOf
/** A float as an argument: of any NaN the same bits. */
private static float mrFloatOf(Object a) {
    double x = mrNumber(a);
    return x == x ? (float) x : Float.NaN;
}

//: mrDoubleOf
/** A double as an argument: of any NaN the same bits. */
private static double mrDoubleOf(Object a) {
    double x = mrNumber(a);
    return x == x ? x : Double.NaN;
}

//: mrDecimalOf
private static BigDecimal mrDecimalOf(Object a) {
    return a instanceof BigInteger whole ? new BigDecimal(whole) : BigDecimal.valueOf(mrNumber(a));
}

//: mrTextOf
private static String mrTextOf(Object a) {
    return (String) a;
}

//: mrLinesOf
/** The lines of a text; none of the empty one. */
private static String[] mrLinesOf(Object a) {
    String text = (String) a;
    return text.isEmpty() ? new String[0] : text.split("\n", -1);
}

//: mrListOf
/** A sequence as a list that may be changed. */
private static <T> List<T> mrListOf(Object s, Function<Object, T> element) {
    return ((List<?>) s).stream().map(element).collect(Collectors.toCollection(ArrayList::new));
}

//: mrBooleansOf
private static boolean[] mrBooleansOf(Object s) {
    List<?> items = (List<?>) s;
    boolean[] array = new boolean[items.size()];
    for (int i = 0; i < array.length; i++) {
        array[i] = mrBooleanOf(items.get(i));
    }
    return array;
}

//: mrBytesOf
private static byte[] mrBytesOf(Object s) {
    List<?> items = (List<?>) s;
    byte[] array = new byte[items.size()];
    for (int i = 0; i < array.length; i++) {
        array[i] = mrByteOf(items.get(i));
    }
    return array;
}

//: mrShortsOf
private static short[] mrShortsOf(Object s) {
    List<?> items = (List<?>) s;
    short[] array = new short[items.size()];
    for (int i = 0; i < array.length; i++) {
        array[i] = mrShortOf(items.get(i));
    }
    return array;
}

//: mrCharsOf
private static char[] mrCharsOf(Object s) {
    List<?> items = (List<?>) s;
    char[] array = new char[items.size()];
    for (int i = 0; i < array.length; i++) {
        array[i] = mrCharOf(items.get(i));
    }
    return array;
}

//: mrIntsOf
private static int[] mrIntsOf(Object s) {
    return ((List<?>) s).stream().mapToInt(x -> mrIntOf(x)).toArray();
}

//: mrLongsOf
private static long[] mrLongsOf(Object s) {
    return ((List<?>) s).stream().mapToLong(x -> mrLongOf(x)).toArray();
}

//: mrFloatsOf
private static float[] mrFloatsOf(Object s) {
    List<?> items = (List<?>) s;
    float[] array = new float[items.size()];
    for (int i = 0; i < array.length; i++) {
        array[i] = mrFloatOf(items.get(i));
    }
    return array;
}

//: mrDoublesOf
private static double[] mrDoublesOf(Object s) {
    return ((List<?>) s).stream().mapToDouble(x -> mrDoubleOf(x)).toArray();
}

//: mrWholesOf
private static BigInteger[] mrWholesOf(Object s) {
    return ((List<?>) s).stream().map(x -> mrInteger(x)).toArray(BigInteger[]::new);
}

//: mrJudge
/** The verdict: what is expected is true, and no follow-up call failed where the source calls returned. */
private static void mrJudge(MrInputs inputs, Object expected, MrJudged... calls) {
    Set<MrStanding> failed = EnumSet.noneOf(MrStanding.class);
    for (MrJudged judged : calls) {
        if (judged.call().failed()) {
            failed.add(judged.standing());
        }
    }
    boolean crashed = failed.contains(MrStanding.FOLLOW_UP) && !failed.contains(MrStanding.SOURCE);
    if (mrIsTrue(expected) && !crashed) {
        return;
    }
    StringBuilder message = new StringBuilder(
        crashed ? "a follow-up call fails where the source calls return"
            : expected == null ? "what is expected has no value"
            : "what is expected is false");
    message.append(inputs);
    for (MrJudged judged : calls) {
        message.append("\n    ").append(judged.call());
    }
    throw new AssertionError(message);
}

//: MrInputs
/** The inputs of one case, for what is said of it. */
private record MrInputs(Random random, Map<String, Object> values) {
    Object keep(String name, Object value) {
        values.put(name, value);
        return value;
    }

    @Override
    public String toString() {
        String each = values.entrySet().stream().map(input -> input.getKey() + " = " + mrShown(input.getValue())).collect(Collectors.joining(", "));
        return (each.isEmpty() ? "" : " for " + each) + ":";
    }
}

//: mrAssume
/** Ends a case that is not eligible: another input is drawn. */
private static void mrAssume(boolean holds) {
    if (!holds) {
        throw new MrIneligible();
    }
}

//: MrIneligible
private static final class MrIneligible extends RuntimeException {
    private static final long serialVersionUID = 1;

    MrIneligible() {
        super("the input is not eligible", null, false, false);
    }
}

//: mrCheck
/** Checks a relation on so many eligible inputs. */
private static void mrCheck(Consumer<MrInputs> test) {
    Random random = new Random(SEED);
    long eligible = 0;
    long drawn = 0;
    for (; eligible < CASES && drawn < 100L * CASES; drawn++) {
        try {
            test.accept(new MrInputs(random, new LinkedHashMap<>()));
            eligible++;
        } catch (MrIneligible ineligible) {
            // Another input is drawn.
        }
    }
    if (eligible == 0) {
        throw new AssertionError("none of " + drawn + " inputs was eligible, so nothing was tested");
    }
}
