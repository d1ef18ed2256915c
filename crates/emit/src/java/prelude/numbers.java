//: mrExact
/** Undefined where 128 bits do not hold an integer. */
private static BigInteger mrExact(BigInteger whole) {
    return whole.bitLength() < 128 ? whole : null;
}

//: mrInteger
/** The integer that a number is, if it is one of 128 bits. */
private static BigInteger mrInteger(Object a) {
    if (a instanceof Double x) {
        return Math.rint(x) == x && !x.isInfinite() ? mrExact(new BigDecimal(x).toBigInteger()) : null;
    }
    return (BigInteger) a;
}

//: mrNumber
/** A number as a float. */
private static double mrNumber(Object a) {
    return ((Number) a).doubleValue();
}

//: mrEach
/** Each element of a sequence, or a value itself; undefined where one is. */
private static Object mrEach(Object a, UnaryOperator<Object> change) {
    if (!(a instanceof List<?> items)) {
        return a == null ? null : change.apply(a);
    }
    List<Object> changed = new ArrayList<>();
    items.forEach(item -> changed.add(change.apply(item)));
    return mrEvery(changed);
}

//: mrElementary
/** Numbers, or each element of a sequence and a number: integers stay exact, with a float both are floats. */
private static Object mrElementary(Object a, Object b, BinaryOperator<BigInteger> exact, DoubleBinaryOperator real) {
    if (a == null || b == null) {
        return null;
    }
    if (a instanceof List) {
        return mrEach(a, x -> mrElementary(x, b, exact, real));
    }
    if (b instanceof List) {
        return mrEach(b, x -> mrElementary(a, x, exact, real));
    }
    if (a instanceof BigInteger x && b instanceof BigInteger y) {
        return mrExact(exact.apply(x, y));
    }
    return real.applyAsDouble(mrNumber(a), mrNumber(b));
}

//: mrAdd
private static Object mrAdd(Object a, Object b) {
    return mrElementary(a, b, BigInteger::add, (x, y) -> x + y);
}

//: mrSubtract
private static Object mrSubtract(Object a, Object b) {
    return mrElementary(a, b, BigInteger::subtract, (x, y) -> x - y);
}

//: mrMultiply
private static Object mrMultiply(Object a, Object b) {
    return mrElementary(a, b, BigInteger::multiply, (x, y) -> x * y);
}

//: mrDivide
/** Integers that divide exactly give an integer, everything else a float. Undefined for a zero divisor. */
private static Object mrDivide(Object a, Object b) {
    if (a == null || b == null || mrNumber(b) == 0) {
        return null;
    }
    if (a instanceof BigInteger x && b instanceof BigInteger y && x.mod(y.abs()).signum() == 0) {
        return mrExact(x.divide(y));
    }
    return mrNumber(a) / mrNumber(b);
}

//: mrIntegers
/** A function of two integers, whose value fits 128 bits. */
private static Object mrIntegers(Object a, Object b, BinaryOperator<BigInteger> function) {
    BigInteger x = mrInteger(a);
    BigInteger y = mrInteger(b);
    BigInteger value = x == null || y == null ? null : function.apply(x, y);
    return value == null ? null : mrExact(value);
}

//: mrDiv
/** The quotient of integers, toward zero. */
private static Object mrDiv(Object a, Object b) {
    return mrIntegers(a, b, (x, y) -> y.signum() == 0 ? null : x.divide(y));
}

//: mrModulo
/** The remainder of integers, with the sign of the first. */
private static Object mrModulo(Object a, Object b) {
    return mrIntegers(a, b, (x, y) -> y.signum() == 0 ? null : x.remainder(y));
}

//: mrPower
/** An integer to a power that is an integer and not negative stays one. */
private static Object mrPower(Object a, Object b) {
    if (a == null || b == null) {
        return null;
    }
    if (a instanceof BigInteger base && b instanceof BigInteger exponent && exponent.signum() >= 0) {
        if (base.abs().bitLength() > 1) {
            return exponent.bitLength() > 7 ? null : mrExact(base.pow(exponent.intValue()));
        }
        return exponent.signum() == 0 ? BigInteger.ONE : exponent.testBit(0) ? base : base.abs();
    }
    return mrPowerReal(mrNumber(a), mrNumber(b));
}

/** As IEEE 754 has it; to Java, 1 to the power of NaN and -1 to that of an infinity are NaN. */
private static double mrPowerReal(double x, double y) {
    if (x == 1 || (x == -1 && Double.isInfinite(y))) {
        return 1.0;
    }
    return y == 2 ? x * x : Math.pow(x, y);
}

//: mrMin
/** The lesser; NaN where either is, and -0 before 0. */
private static Object mrMin(Object a, Object b) {
    return mrElementary(a, b, BigInteger::min, Math::min);
}

//: mrMax
/** The greater; NaN where either is, and -0 before 0. */
private static Object mrMax(Object a, Object b) {
    return mrElementary(a, b, BigInteger::max, Math::max);
}

//: mrNegate
private static Object mrNegate(Object a) {
    return mrEach(a, x -> x instanceof BigInteger whole ? mrExact(whole.negate()) : (Object) (-mrNumber(x)));
}

//: mrAbs
private static Object mrAbs(Object a) {
    return mrEach(a, x -> x instanceof BigInteger whole ? mrExact(whole.abs()) : (Object) Math.abs(mrNumber(x)));
}

//: mrRounded
/** An integer where 128 bits hold it. */
private static Object mrRounded(Object a, DoubleUnaryOperator whole) {
    if (!(a instanceof Double x)) {
        return a;
    }
    BigInteger rounded = mrInteger(whole.applyAsDouble(x));
    return rounded == null ? a : rounded;
}

//: mrFloor
private static Object mrFloor(Object a) {
    return mrRounded(a, Math::floor);
}

//: mrCeil
private static Object mrCeil(Object a) {
    return mrRounded(a, Math::ceil);
}

//: mrReal
/** A function of floats. */
private static Object mrReal(Object a, DoubleUnaryOperator function) {
    return a == null ? null : (Object) function.applyAsDouble(mrNumber(a));
}

//: mrSqrt
private static Object mrSqrt(Object a) {
    return mrReal(a, Math::sqrt);
}

//: mrExp
private static Object mrExp(Object a) {
    return mrReal(a, Math::exp);
}

//: mrLn
private static Object mrLn(Object a) {
    return mrReal(a, Math::log);
}

//: mrSin
private static Object mrSin(Object a) {
    return mrReal(a, Math::sin);
}

//: mrCos
private static Object mrCos(Object a) {
    return mrReal(a, Math::cos);
}

//: mrAsin
private static Object mrAsin(Object a) {
    return mrReal(a, Math::asin);
}

//: mrAcos
private static Object mrAcos(Object a) {
    return mrReal(a, Math::acos);
}

//: mrAtan
private static Object mrAtan(Object a) {
    return mrReal(a, Math::atan);
}

//: mrAtan2
private static Object mrAtan2(Object a, Object b) {
    return b == null ? null : mrReal(a, y -> Math.atan2(y, mrNumber(b)));
}

//: mrFmod
/** The remainder of floats, with the sign of the dividend. */
private static Object mrFmod(Object a, Object b) {
    return b == null ? null : mrReal(a, x -> x % mrNumber(b));
}

//: mrBitand
private static Object mrBitand(Object a, Object b) {
    return mrIntegers(a, b, BigInteger::and);
}

//: mrBitor
private static Object mrBitor(Object a, Object b) {
    return mrIntegers(a, b, BigInteger::or);
}

//: mrBitxor
private static Object mrBitxor(Object a, Object b) {
    return mrIntegers(a, b, BigInteger::xor);
}

//: mrPlaces
/** By how many places bits are moved: all of 128 where there are more. */
private static int mrPlaces(BigInteger places) {
    return places.min(mrWhole(128)).intValue();
}

//: mrShl
/** An integer times a power of two; undefined where 128 bits do not hold the result. */
private static Object mrShl(Object a, Object n) {
    return mrIntegers(a, n, (x, places) -> places.signum() < 0 ? null : x.shiftLeft(mrPlaces(places)));
}

//: mrShr
/** An integer divided by a power of two, rounded down. */
private static Object mrShr(Object a, Object n) {
    return mrIntegers(a, n, (x, places) -> places.signum() < 0 ? null : x.shiftRight(mrPlaces(places)));
}

//: mrPopcount
/** How many bits of an integer that is not negative are set. */
private static Object mrPopcount(Object a) {
    BigInteger whole = mrInteger(a);
    return whole == null || whole.signum() < 0 ? null : mrWhole(whole.bitCount());
}

//: mrIsNan
private static Object mrIsNan(Object a) {
    return a == null ? null : (Object) (a instanceof Double x && x.isNaN());
}

//: mrToInt
/** Numbers as integers; undefined where one is none. */
private static Object mrToInt(Object a) {
    return mrEach(a, x -> mrInteger(x));
}

//: mrToFloat
private static Object mrToFloat(Object a) {
    return mrEach(a, x -> mrNumber(x));
}

//: mrToSingle
/** Numbers as floats, rounded to single precision. */
private static Object mrToSingle(Object a) {
    return mrEach(a, x -> (double) (float) mrNumber(x));
}

//: mrToBools
/** The empty sequence goes with all kinds. */
private static Object mrToBools(Object a) {
    return a;
}
