// The worker for Java that ships with Dodona: it calls methods for whoever writes requests to its standard input. The protocol is in book/worker-protocol.md.
import java.io.*;
import java.lang.reflect.*;
import java.math.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Worker {
    public static void main(String[] words) throws Exception {
        // What the program under test prints or reads is no part of the protocol.
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        BufferedReader requests = new BufferedReader(new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        System.setOut(System.err);
        System.setIn(InputStream.nullInputStream());
        List<Function> functions = new ArrayList<>();
        try {
            for (Object one : (List<?>) map(new Json(requests.readLine()).value()).get("functions")) functions.add(new Function(map(one)));
        } catch (Throwable error) {
            answer(answers, "{\"protocol\":1,\"error\":" + described(error, "trace", trace(error)) + "}");
            return;
        }
        answer(answers, "{\"protocol\":1,\"worker\":\"Java " + System.getProperty("java.version") + "\"}");
        for (String line; (line = requests.readLine()) != null; ) {
            Map<String, Object> request = map(new Json(line).value());
            StringBuilder values = new StringBuilder(), raised = new StringBuilder();
            Function function = functions.get(((Number) request.get("function")).intValue());
            int place = 0;
            for (Object row : (List<?>) request.get("rows")) {
                values.append(place == 0 ? "" : ",");
                int before = values.length();
                String failed = function.call((List<?>) row, values);
                if (failed != null) {
                    values.setLength(before);
                    values.append("null");
                    raised.append(raised.length() == 0 ? "" : ",").append('"').append(place).append("\":").append(failed);
                }
                place++;
            }
            answer(answers, "{\"id\":" + request.get("id") + ",\"values\":[" + values + "],\"raised\":{" + raised + "}}");
        }
    }

    static void answer(PrintStream to, String line) {
        to.print(line);
        to.print('\n');
        to.flush();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    /** A method, and how its values are read and written. */
    static class Function {
        final Method method;
        final Object receiver;
        final Class<?>[] types;
        final Object returns;

        Function(Map<String, Object> declared) throws Exception {
            String name = (String) declared.get("name");
            int colon = name.lastIndexOf(':');
            List<?> parameters = (List<?>) declared.get("parameters");
            method = find(Class.forName(name.substring(0, colon)), name.substring(colon + 1), parameters);
            method.setAccessible(true);
            boolean isStatic = Modifier.isStatic(method.getModifiers());
            receiver = isStatic ? null : method.getDeclaringClass().getDeclaredConstructor().newInstance();
            types = method.getParameterTypes();
            returns = declared.get("returns");
        }

        /** The method of a name; of overloads the one of these types, or the one whose parameters fit best. */
        static Method find(Class<?> type, String name, List<?> parameters) {
            int open = name.indexOf('(');
            String wanted = open < 0 ? null : name.substring(open + 1, name.length() - 1).replace(" ", "");
            String bare = open < 0 ? name : name.substring(0, open);
            List<Method> fitting = new ArrayList<>();
            int best = Integer.MAX_VALUE;
            StringBuilder known = new StringBuilder();
            for (Method method : type.getMethods()) {
                if (!method.getName().equals(bare) || method.isBridge()) continue;
                StringJoiner own = new StringJoiner(",");
                for (Class<?> parameter : method.getParameterTypes()) own.add(parameter.getSimpleName());
                known.append(known.length() == 0 ? "" : ", ").append(bare).append('(').append(own).append(')');
                if (wanted != null && !wanted.equals(own.toString())) continue;
                if (method.getParameterCount() != parameters.size()) continue;
                int distance = 0;
                for (int i = 0; i < parameters.size() && distance < 1000; i++) distance += distance((String) parameters.get(i), method.getParameterTypes()[i]);
                if (distance < best) fitting.clear();
                if (distance < 1000 && distance <= best) {
                    best = distance;
                    fitting.add(method);
                }
            }
            if (fitting.size() == 1) return fitting.get(0);
            String there = known.length() == 0 ? "there is none of that name" : "there are " + known;
            String why = fitting.isEmpty() ? "no public method takes " : "several methods take ";
            throw new IllegalArgumentException(type.getName() + "." + name + ": " + why + parameters + "; " + there + "; write path = \"" + bare + "(int,int)\"");
        }

        /** How far a parameter is from a type of a signature: 0 where it is the same, 1000 where it cannot be. */
        static int distance(String type, Class<?> parameter) {
            if (type.startsWith("[")) {
                if (parameter.isArray() && parameter.getComponentType() != String.class) return distance(type.substring(1, type.length() - 1), parameter.getComponentType());
                return parameter.isAssignableFrom(ArrayList.class) && parameter != Object.class ? 5 : 1000;
            }
            switch (type) {
                case "text":
                    return parameter == String.class ? 0 : parameter == CharSequence.class ? 1 : parameter == char.class || parameter == Character.class ? 2 : parameter == String[].class ? 3 : 1000;
                case "bool":
                    return parameter == boolean.class || parameter == Boolean.class ? 0 : 1000;
                case "f64":
                case "f32":
                    Class<?> same = type.equals("f64") ? double.class : float.class;
                    return parameter == same ? 0 : parameter == double.class || parameter == float.class ? 1 : parameter == Double.class || parameter == Float.class ? 2 : parameter == BigDecimal.class ? 4 : 1000;
                default:
                    List<Class<?>> wide = List.of(byte.class, short.class, char.class, int.class, long.class);
                    List<Class<?>> boxed = List.of(Byte.class, Short.class, Character.class, Integer.class, Long.class);
                    int own = type.endsWith("8") ? 0 : type.endsWith("16") ? (type.startsWith("u") ? 2 : 1) : type.endsWith("32") ? 3 : 4;
                    if (wide.contains(parameter)) return Math.abs(wide.indexOf(parameter) - own);
                    if (boxed.contains(parameter)) return 5 + Math.abs(boxed.indexOf(parameter) - own);
                    return parameter == BigInteger.class ? 12 : 1000;
            }
        }

        /** Writes the value of a call; what was raised, or is wrong with it, where there is none. */
        String call(List<?> row, StringBuilder to) {
            Object result;
            try {
                Object[] arguments = new Object[types.length];
                for (int i = 0; i < arguments.length; i++) arguments[i] = read(row.get(i), types[i]);
                result = method.invoke(receiver, arguments);
            } catch (InvocationTargetException error) {
                return described(error.getCause(), "place", place(error.getCause()));
            } catch (Throwable error) {
                return described(error, "place", "");
            }
            try {
                write(result, returns, to);
                return null;
            } catch (Throwable error) {
                StringBuilder said = new StringBuilder("{\"malformed\":");
                quote(whole(String.valueOf(error.getMessage())), said);
                return said.append('}').toString();
            }
        }
    }

    static Object read(Object json, Class<?> type) {
        if (type.isArray() && type != String[].class) {
            List<?> items = (List<?>) json;
            Object array = Array.newInstance(type.getComponentType(), items.size());
            for (int i = 0; i < items.size(); i++) Array.set(array, i, read(items.get(i), type.getComponentType()));
            return array;
        }
        if (json instanceof List) {
            List<Object> list = new ArrayList<>();
            for (Object item : (List<?>) json) list.add(item instanceof String ? number((String) item) : item);
            return list;
        }
        if (type == String[].class) return text(json).isEmpty() ? new String[0] : text(json).split("\n", -1);
        if (type == String.class || type == CharSequence.class) return text(json);
        if (json instanceof Boolean) return json;
        boolean isCharacter = type == char.class || type == Character.class;
        if (isCharacter && !(json instanceof Number)) {
            if (text(json).length() != 1) throw new IllegalArgumentException("a char is one unit of UTF-16, and this text has " + text(json).length());
            return text(json).charAt(0);
        }
        Number number = json instanceof String ? number((String) json) : (Number) json;
        if (type == int.class || type == Integer.class) return (int) number.longValue();
        if (type == long.class || type == Long.class) return number.longValue();
        if (type == short.class || type == Short.class) return (short) number.longValue();
        if (type == byte.class || type == Byte.class) return (byte) number.longValue();
        if (isCharacter) return (char) number.longValue();
        if (type == float.class || type == Float.class) return number.floatValue();
        if (type == BigInteger.class) return new BigInteger(number.toString());
        if (type == BigDecimal.class) return BigDecimal.valueOf(number.doubleValue());
        return number.doubleValue();
    }

    /** A number that JSON has no digits for, or too many. */
    static Number number(String text) {
        switch (text) {
            case "nan": return Double.NaN;
            case "inf": return Double.POSITIVE_INFINITY;
            case "-inf": return Double.NEGATIVE_INFINITY;
            default: return new BigInteger(text);
        }
    }

    static String text(Object json) {
        if (json instanceof String) return (String) json;
        String hex = (String) map(json).get("bytes");
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static void write(Object value, Object shape, StringBuilder to) {
        if (shape == null) {
            to.append("null");
        } else if (shape instanceof List) {
            List<?> parts = (List<?>) shape;
            if (parts.get(0).equals("option")) {
                Object inner = value instanceof Optional ? ((Optional<?>) value).orElse(null) : value;
                if (inner == null) {
                    to.append("null");
                    return;
                }
                to.append('[');
                write(inner, parts.get(1), to);
                to.append(']');
            } else {
                List<Object> items = items(value);
                if (items.size() != parts.size() - 1) throw new IllegalArgumentException(items.size() + " values, and " + (parts.size() - 1) + " are declared");
                to.append('[');
                for (int i = 0; i < items.size(); i++) {
                    to.append(i == 0 ? "" : ",");
                    write(items.get(i), parts.get(i + 1), to);
                }
                to.append(']');
            }
        } else if (((String) shape).startsWith("[")) {
            String element = ((String) shape).substring(1, ((String) shape).length() - 1);
            String between = "[";
            for (Object item : items(value)) {
                to.append(between);
                write(item, element, to);
                between = ",";
            }
            to.append(between.equals("[") ? "[]" : "]");
        } else if (value == null) {
            throw new IllegalArgumentException("it returned null");
        } else if (shape.equals("text")) {
            if (value instanceof Object[] || value instanceof Collection) {
                StringJoiner lines = new StringJoiner("\n");
                for (Object item : items(value)) lines.add(String.valueOf(item));
                value = lines.toString();
            }
            quote(value.toString(), to);
        } else if (shape.equals("bool")) {
            to.append((boolean) (Boolean) value);
        } else if (shape.equals("f64") || shape.equals("f32")) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number)) to.append("\"nan\"");
            else if (Double.isInfinite(number)) to.append(number > 0 ? "\"inf\"" : "\"-inf\"");
            else to.append(number);
        } else if (value instanceof Character) {
            to.append((int) (Character) value);
        } else if (value instanceof Double || value instanceof Float) {
            BigDecimal number = new BigDecimal(((Number) value).doubleValue());
            to.append('"').append(number.toBigIntegerExact()).append('"');
        } else {
            to.append('"').append(((Number) value).toString()).append('"');
        }
    }

    static List<Object> items(Object value) {
        if (value instanceof Collection) return new ArrayList<>((Collection<?>) value);
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < Array.getLength(value); i++) items.add(Array.get(value, i));
        return items;
    }

    /** What an error is, what it says, and under a key where it was raised. */
    static String described(Throwable error, String key, String where) {
        StringBuilder said = new StringBuilder("{\"type\":");
        quote(error.getClass().getSimpleName(), said);
        said.append(",\"message\":");
        String message;
        try {
            message = String.valueOf(error.getMessage());
        } catch (Throwable unable) {
            message = "(its message cannot be shown)";
        }
        quote(whole(message.substring(0, Math.min(message.length(), 2000))), said);
        said.append(",\"").append(key).append("\":");
        quote(where, said);
        return said.append('}').toString();
    }

    /** The innermost line that is not of Java itself or of this worker. */
    static String place(Throwable error) {
        for (StackTraceElement frame : error.getStackTrace()) {
            String name = frame.getClassName();
            if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("Worker")) return frame.getFileName() + ":" + frame.getLineNumber();
        }
        return "";
    }

    static String trace(Throwable error) {
        StringWriter lines = new StringWriter();
        error.printStackTrace(new PrintWriter(lines));
        StringJoiner kept = new StringJoiner("\n");
        for (String line : lines.toString().split("\n")) if (!line.contains("Worker") && !line.contains("jdk.")) kept.add(line);
        return kept.toString();
    }

    static void quote(String text, StringBuilder to) {
        if (!isWhole(text)) {
            to.append("{\"bytes\":\"");
            for (int i = 0; i < text.length(); ) {
                int unit = text.codePointAt(i);
                i += Character.charCount(unit);
                byte[] bytes = unit >= 0xd800 && unit <= 0xdfff
                    ? new byte[] {(byte) (0xe0 | unit >> 12), (byte) (0x80 | unit >> 6 & 0x3f), (byte) (0x80 | unit & 0x3f)}
                    : new String(Character.toChars(unit)).getBytes(StandardCharsets.UTF_8);
                for (byte one : bytes) to.append(String.format("%02x", one));
            }
            to.append("\"}");
            return;
        }
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') to.append('\\').append(c);
            else if (c < 0x20) to.append(String.format("\\u%04x", (int) c));
            else to.append(c);
        }
        to.append('"');
    }

    /** A text for people, with a sign in place of each half of a character. */
    static String whole(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** Whether a text has no half of a character. */
    static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) continue;
            if (!Character.isHighSurrogate(c) || i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(++i))) return false;
        }
        return true;
    }

    /** A reader of JSON. */
    static class Json {
        final String text;
        int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            space();
            char c = text.charAt(at);
            if (c == '{') {
                Map<String, Object> map = new HashMap<>();
                at++;
                while (next('}')) {
                    String key = (String) value();
                    space();
                    at++;
                    map.put(key, value());
                }
                return map;
            }
            if (c == '[') {
                List<Object> list = new ArrayList<>();
                at++;
                while (next(']')) list.add(value());
                return list;
            }
            if (c == '"') return string();
            int start = at;
            while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            switch (word) {
                case "null": return null;
                case "true": return true;
                case "false": return false;
                default:
                    boolean isFloat = word.contains(".") || word.contains("e") || word.contains("E");
                    return isFloat ? (Object) Double.valueOf(word) : (Object) Long.valueOf(word);
            }
        }

        void space() {
            while (at < text.length() && text.charAt(at) <= ' ') at++;
        }

        /** Whether another item follows, behind a comma that there may be. */
        boolean next(char end) {
            space();
            if (text.charAt(at) == ',') at++;
            space();
            if (text.charAt(at) != end) return true;
            at++;
            return false;
        }

        String string() {
            StringBuilder out = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c != '\\') {
                    out.append(c);
                    continue;
                }
                c = text.charAt(++at);
                if (c == 'u') {
                    out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    int known = "nrtbf".indexOf(c);
                    out.append(known < 0 ? c : "\n\r\t\b\f".charAt(known));
                }
            }
            at++;
            return out.toString();
        }
    }
}
