//: mrChance
/** True so many times in a thousand. */
private static boolean mrChance(Random random, int share) {
    return random.nextInt(1000) < share;
}

//: mrOneOf
private static Object mrOneOf(Random random, Object... values) {
    return values[random.nextInt(values.length)];
}

//: MrSpread mrByMagnitude
private enum MrSpread { MIXED, UNIFORM, LOGARITHMIC }

/** Whether to draw small numbers as often as large ones. */
private static boolean mrByMagnitude(Random random, MrSpread spread) {
    return spread == MrSpread.LOGARITHMIC || (spread == MrSpread.MIXED && random.nextBoolean());
}

//: mrDrawWhole
/** An integer of one of some ranges. */
private static Object mrDrawWhole(Random random, MrSpread spread, MrRange... ranges) {
    MrRange range = ranges[random.nextInt(ranges.length)];
    BigInteger low = mrInteger(range.low());
    BigInteger high = mrInteger(range.high());
    if (mrByMagnitude(random, spread)) {
        BigInteger magnitude = new BigInteger(random.nextInt(64) + 1, random);
        BigInteger drawn = random.nextBoolean() ? magnitude : magnitude.negate();
        if (low.compareTo(drawn) <= 0 && drawn.compareTo(high) <= 0) {
            return drawn;
        }
    }
    BigInteger width = high.subtract(low).add(BigInteger.ONE);
    return low.add(new BigInteger(width.bitLength() + 64, random).mod(width));
}

//: mrDrawReal
/** A finite float of one of some ranges, of which one may be NaN alone. */
private static Object mrDrawReal(Random random, MrSpread spread, MrRange... ranges) {
    MrRange range = ranges[random.nextInt(ranges.length)];
    double low = mrNumber(range.low());
    double high = mrNumber(range.high());
    if (low != low) {
        return low;
    }
    double share = random.nextDouble();
    if (mrByMagnitude(random, spread)) {
        int exponents = Math.getExponent(Math.max(1, Math.max(-low, high))) + 32;
        double magnitude = Math.scalb(0.5 + share / 2, random.nextInt(exponents) - 30);
        double drawn = random.nextBoolean() ? magnitude : -magnitude;
        if (low <= drawn && drawn <= high) {
            return drawn;
        }
    }
    // In halves, so that the width of the range is finite.
    double drawn = 2 * (low / 2 + share * (high / 2 - low / 2));
    return Math.max(low, Math.min(high, drawn));
}

//: mrDrawLength
private static int mrDrawLength(Random random, int least, int most) {
    return least + random.nextInt(most - least + 1);
}

//: mrDrawList
private static Object mrDrawList(Random random, int least, int most, Supplier<Object> element) {
    return Stream.generate(element).limit(mrDrawLength(random, least, most)).toList();
}

//: mrDrawText
/** A text of an alphabet; of printable ASCII and some Unicode where the alphabet is empty. */
private static Object mrDrawText(Random random, int least, int most, String alphabet) {
    int[] characters = alphabet.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int left = mrDrawLength(random, least, most); left > 0; left--) {
        text.appendCodePoint(characters.length > 0 ? characters[random.nextInt(characters.length)] : mrDrawCharacter(random));
    }
    return text.toString();
}

private static int mrDrawCharacter(Random random) {
    int[] ends = {0x80, 0x800, 0x10000, 0x110000};
    int c = random.nextInt(8) > 0 ? ' ' + random.nextInt(95) : random.nextInt(ends[random.nextInt(4)]);
    return Character.getType(c) == Character.SURROGATE ? ' ' : c;
}

//: mrDrawInside
/** A value of a domain; a case without one is not eligible. */
private static Object mrDrawInside(Supplier<Object> draw, Predicate<Object> inside) {
    return Stream.generate(draw).limit(1000).filter(inside).findFirst().orElseThrow(MrIneligible::new);
}
