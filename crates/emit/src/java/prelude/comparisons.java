//: mrCompare
/** The exact order of numbers, also between integers and floats: below, at or above 0; 2 where either is NaN. */
private static int mrCompare(Object a, Object b) {
    if (a instanceof BigInteger x && b instanceof BigInteger y) {
        return x.compareTo(y);
    }
    double x = mrNumber(a);
    double y = mrNumber(b);
    if (x != x || y != y) {
        return 2;
    }
    boolean real = a instanceof Double && b instanceof Double;
    if (real || Double.isInfinite(x) || Double.isInfinite(y)) {
        return x < y ? -1 : x > y ? 1 : 0;
    }
    return mrDecimal(a).compareTo(mrDecimal(b));
}

private static BigDecimal mrDecimal(Object a) {
    return a instanceof BigInteger whole ? new BigDecimal(whole) : new BigDecimal(mrNumber(a));
}

//: mrSame
/** Exact equality; NaN equals NaN. */
private static boolean mrSame(Object a, Object b) {
    if (a instanceof List<?> s && b instanceof List<?> t) {
        return s.size() == t.size() && IntStream.range(0, s.size()).allMatch(i -> mrSame(s.get(i), t.get(i)));
    }
    if (a instanceof Number && b instanceof Number) {
        return mrCompare(a, b) == 0 || (a instanceof Double x && b instanceof Double y && x.isNaN() && y.isNaN());
    }
    return a.equals(b);
}

//: mrEqual
private static Object mrEqual(Object a, Object b) {
    return a == null || b == null ? null : (Object) mrSame(a, b);
}

//: mrDiffers
private static Object mrDiffers(Object a, Object b) {
    return a == null || b == null ? null : (Object) !mrSame(a, b);
}

//: mrLess
private static Object mrLess(Object a, Object b) {
    return a == null || b == null ? null : (Object) (mrCompare(a, b) < 0);
}

//: mrAtMost
private static Object mrAtMost(Object a, Object b) {
    return a == null || b == null ? null : (Object) (mrCompare(a, b) <= 0);
}

//: mrApproximate mrAreNear
/** Numbers, or numbers of sequences one by one, by a test of floats; everything else by equality. */
private static Object mrApproximate(Object a, Object b, BiPredicate<Double, Double> near) {
    return a == null || b == null ? null : (Object) mrAreNear(a, b, near);
}

private static boolean mrAreNear(Object a, Object b, BiPredicate<Double, Double> near) {
    if (a instanceof List<?> s && b instanceof List<?> t) {
        return s.size() == t.size() && IntStream.range(0, s.size()).allMatch(i -> mrAreNear(s.get(i), t.get(i), near));
    }
    if (a instanceof Number && b instanceof Number) {
        double x = mrNumber(a);
        double y = mrNumber(b);
        return x == y || (x != x && y != y) || near.test(x, y);
    }
    return a.equals(b);
}

//: mrIsWithin
private static boolean mrIsWithin(double a, double b, double relative) {
    double difference = Math.abs(a - b);
    return difference <= relative * Math.max(Math.abs(a), Math.abs(b)) && difference < Double.POSITIVE_INFINITY;
}

//: mrNear
/** |a - b| <= relative * max(|a|, |b|). NaN is near NaN; an infinity only itself. */
private static Object mrNear(Object a, Object b, double relative) {
    return mrApproximate(a, b, (x, y) -> mrIsWithin(x, y, relative));
}

//: mrNearEither
/** As mrNear, or |a - b| <= absolute. */
private static Object mrNearEither(Object a, Object b, double relative, double absolute) {
    return mrApproximate(a, b, (x, y) -> mrIsWithin(x, y, relative) || Math.abs(x - y) <= absolute);
}

//: mrApart
/** Whether the bits of two magnitudes are at most so many units apart, across zero where their signs differ. */
private static boolean mrApart(long x, long y, boolean across, long ulps) {
    return Long.compareUnsigned(across ? x + y : Math.abs(x - y), ulps) <= 0;
}

//: mrNearUlps
/** Near in units in the last place. */
private static Object mrNearUlps(Object a, Object b, long ulps) {
    return mrApproximate(a, b, (x, y) -> Double.isFinite(x) && Double.isFinite(y)
        && mrApart(Double.doubleToLongBits(Math.abs(x)), Double.doubleToLongBits(Math.abs(y)), x < 0 != y < 0, ulps));
}

//: mrNearSingleUlps
/** Near in units in the last place of single precision. */
private static Object mrNearSingleUlps(Object a, Object b, long ulps) {
    return mrApproximate(a, b, (x, y) -> Float.isFinite(x.floatValue()) && Float.isFinite(y.floatValue())
        && mrApart(mrSingleBits(x), mrSingleBits(y), x < 0 != y < 0, ulps));
}

private static long mrSingleBits(double x) {
    return Float.floatToIntBits((float) Math.abs(x));
}

//: mrMovedBy
/** A value whose floats are moved by less than so many units in the last place. Without a repetition, which is -1, it stays as it is. */
private static Object mrMovedBy(double units, int repetition, long place, boolean single, Object x) {
    double size = units * (single ? 0x1p-23 : 0x1p-52);
    Object moved = x;
    if (repetition >= 0 && x instanceof Double real) {
        moved = real * mrFactor(repetition, place, 0, size);
    } else if (repetition >= 0 && x instanceof List<?> items) {
        moved = IntStream.range(0, items.size())
            .mapToObj(i -> items.get(i) instanceof Double real ? (Object) (real * mrFactor(repetition, place, i, size)) : items.get(i))
            .toList();
    }
    return single && moved != x ? mrToSingle(moved) : moved;
}

private static double mrFactor(int repetition, long place, int element, double units) {
    long z = (place << 32 | (element & 0xfffffffL) << 3 | repetition % 8 / 2) + 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    z ^= z >>> 31;
    double size = 0.5 + (z >>> 12) * 0x1p-53;
    return 1.0 + units * (((z ^ repetition) & 1) == 0 ? size : -size);
}

//: mrMoved
/** A value whose floats are moved by less than eight units in the last place, in a way that depends on the repetition. */
private static Object mrMoved(int repetition, long place, boolean single, Object x) {
    return mrMovedBy(8.0, repetition, place, single, x);
}

//: mrMovedMade
/**
 * As mrMoved, for a value that the relation made without rounding: the repetitions from 8 on move it a thousand times as far, and those
 * from 16 on leave it.
 */
private static Object mrMovedMade(int repetition, long place, boolean single, Object x) {
    return mrMovedBy(repetition < 8 ? 8.0 : 8192.0, repetition < 16 ? repetition : -1, place, single, x);
}

//: mrWithinRounding
/**
 * Whether sides are near, or no farther apart than rounding explains: the largest change of their difference when they are computed
 * again with moved numbers. If exact numbers were moved, wider moves have to change much more: else the function has a step there, and
 * what was rounded has to explain the difference alone.
 */
private static Object mrWithinRounding(Object near, double relative, boolean made, IntFunction<Object[]> again) {
    if (!Boolean.FALSE.equals(near)) {
        return near;
    }
    double[][] sides = mrSides(again.apply(-1));
    if (sides[0].length != sides[1].length) {
        return near;
    }
    double[] gaps = new double[sides[0].length];
    for (int i = 0; i < gaps.length; i++) {
        gaps[i] = mrAreNear(sides[0][i], sides[1][i], (x, y) -> mrIsWithin(x, y, relative)) ? 0 : sides[0][i] - sides[1][i];
    }
    if (Arrays.stream(gaps).allMatch(gap -> gap == 0) || !Arrays.stream(gaps).allMatch(Double::isFinite)) {
        return near;
    }
    return mrExplains(gaps, 0, 1.0, again) && (!made || mrExplains(gaps, 8, 16.0, again) || mrExplains(gaps, 16, 1.0, again));
}

/** Whether the eight repetitions from one on change each difference by at least so many times as much as it is. */
private static boolean mrExplains(double[] gaps, int from, double times, IntFunction<Object[]> again) {
    double[] most = new double[gaps.length];
    for (int repetition = from; repetition < from + 8; repetition++) {
        double[][] sides = mrSides(again.apply(repetition));
        for (int i = 0; i < Math.min(gaps.length, Math.min(sides[0].length, sides[1].length)); i++) {
            double change = Math.abs(sides[0][i] - sides[1][i] - gaps[i]);
            most[i] = Double.isFinite(change) ? Math.max(most[i], change) : most[i];
        }
    }
    return IntStream.range(0, gaps.length).allMatch(i -> most[i] >= times * Math.abs(gaps[i]));
}

/** The numbers of both sides; none where the case is not eligible, or a side has no value. */
private static double[][] mrSides(Object[] sides) {
    if (sides == null || sides[0] == null || sides[1] == null) {
        return new double[2][0];
    }
    return Arrays.stream(sides)
        .map(side -> side instanceof List<?> items ? items.stream().mapToDouble(x -> mrNumber(x)).toArray() : new double[] {mrNumber(side)})
        .toArray(double[][]::new);
}

//: mrNot
private static Object mrNot(Object a) {
    return a == null ? null : (Object) !mrIsTrue(a);
}

//: mrAnd
/** False where either side is false, whatever the other. */
private static Object mrAnd(Object a, Object b) {
    return Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b) ? (Object) false : a == null ? null : b;
}

//: mrOr
/** True where either side is true, whatever the other. */
private static Object mrOr(Object a, Object b) {
    return mrIsTrue(a) || mrIsTrue(b) ? (Object) true : a == null ? null : b;
}

//: mrImplies
private static Object mrImplies(Object a, Object b) {
    return mrOr(mrNot(a), b);
}

//: mrEither
private static Object mrEither(Object condition, Object then, Object otherwise) {
    return condition == null ? null : mrIsTrue(condition) ? then : otherwise;
}

//: mrGiven
private static Object mrGiven(Object condition, Object value) {
    return mrEither(condition, value, null);
}

//: mrDefined
private static Object mrDefined(Object a) {
    return a != null;
}
