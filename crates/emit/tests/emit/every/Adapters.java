package every;

import java.math.BigInteger;
import java.util.Arrays;

/** The functions of every.c, as a class of Java would have them. */
public final class Adapters {
    private Adapters() { }

    public static boolean negated(boolean b) {
        return !b;
    }

    public static byte next(byte small) {
        return (byte) Math.min(small + 1, Byte.MAX_VALUE);
    }

    public static BigInteger swapped(BigInteger wide) {
        return new BigInteger(Long.toUnsignedString(Long.rotateLeft(wide.longValue(), 32)));
    }

    public static long mirrored(long bits) {
        return Integer.toUnsignedLong(Integer.reverse((int) bits));
    }

    public static float third(float single) {
        return single / 3;
    }

    public static long vowels(String word) {
        return word.chars().filter(c -> "aeiou".indexOf(c) >= 0).count();
    }

    public static void firstWord(StringBuilder line) {
        int end = line.indexOf(" ");
        line.setLength(end < 0 ? line.length() : end);
    }

    public static short[] doubled(short[] shorts) {
        short[] both = Arrays.copyOf(shorts, 2 * shorts.length);
        System.arraycopy(shorts, 0, both, shorts.length, shorts.length);
        return both;
    }

    public static double[] running(double[] reals) {
        Arrays.parallelPrefix(reals, Double::sum);
        return reals;
    }

    public static String weekday(int day) {
        return new String[] {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "S\u00e0bado"}[day % 7];
    }

    public static int ratio(int over, int under) {
        return over / under;
    }

    public static int place(int[] ranks, int rank) {
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] == rank) {
                return i;
            }
        }
        return -1;
    }

    public static int suit(String name) {
        return name.equals("hearts") ? 1 : 0;
    }

    /** How many NaNs other than the canonical one came. */
    public static long oddNans(double number, float single, double[] numbers, float[] singles) {
        long odd = Arrays.stream(numbers).filter(Adapters::isOdd).count() + (isOdd(number) ? 1 : 0);
        for (float each : singles) {
            odd += isOdd(each) ? 1 : 0;
        }
        return odd + (isOdd(single) ? 1 : 0);
    }

    private static boolean isOdd(double x) {
        return x != x && Double.doubleToRawLongBits(x) != 0x7ff8000000000000L;
    }

    private static boolean isOdd(float x) {
        return x != x && Float.floatToRawIntBits(x) != 0x7fc00000;
    }

    public static double flipped(double number) {
        return -number;
    }

    public static float flippedSingle(float single) {
        return -single;
    }

    public static void refuse(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("below zero");
        }
    }
}
