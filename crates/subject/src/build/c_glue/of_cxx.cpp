#include <exception>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

static dodona_slot dodona_kept(const std::string &text) { return dodona_items(text.data(), text.size(), 1); }
template <class T> static dodona_slot dodona_kept(const std::vector<T> &items) {
    return dodona_items(items.data(), items.size(), sizeof(T));
}
static dodona_slot dodona_kept(const std::vector<bool> &items) {
    std::vector<unsigned char> bytes(items.begin(), items.end());
    return dodona_items(bytes.data(), bytes.size(), 1);
}

/* Exceptions that nothing catches end the call: what was thrown is kept for whoever asks why. */
static uintptr_t dodona_thrown[6];
static char dodona_message[512];

static size_t dodona_append(size_t at, const char *text, size_t length) {
    size_t room = sizeof dodona_message - 1 - at;
    if (length > room) length = room;
    memcpy(dodona_message + at, text, length);
    return at + length;
}

/* The name of a type of the language itself: `int` of `i`, `const char *` of `PKc`; any other one as it is. */
static size_t dodona_builtin(size_t at, const char *name) {
    static const char letters[] = "bcahstijlmxywfde";
    static const char *const names[] = { "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
        "unsigned long", "long long", "unsigned long long", "wchar_t", "float", "double", "long double" };
    bool is_pointer = name[0] == 'P', is_constant = is_pointer && name[1] == 'K';
    const char *letter = name + is_pointer + is_constant;
    const char *known = *letter && !letter[1] ? strchr(letters, *letter) : nullptr;
    if (!known) return dodona_append(at, name, strlen(name));
    if (is_constant) at = dodona_append(at, "const ", 6);
    const char *shown = names[known - letters];
    at = dodona_append(at, shown, strlen(shown));
    return is_pointer ? dodona_append(at, " *", 2) : at;
}

/* The name of a type: `std::out_of_range` of `St12out_of_range`. */
static size_t dodona_type(size_t at, const char *name) {
    bool is_first = true;
    if (*name == 'N') name++;
    if (name[0] == 'S' && name[1] == 't') {
        at = dodona_append(at, "std", 3);
        name += 2;
        is_first = false;
    }
    while (*name >= '0' && *name <= '9') {
        char *end;
        size_t length = strtoul(name, &end, 10);
        if (length > strlen(end)) break;
        if (!is_first) at = dodona_append(at, "::", 2);
        at = dodona_append(at, end, length);
        name = end + length;
        is_first = false;
    }
    return is_first ? dodona_builtin(at, name) : at;
}

/* What is kept of something that was thrown: its type and, if it has one, its message. */
static void dodona_keep(const char *type, const std::exception *known) {
    size_t length = dodona_append(0, "uncaught exception ", 19);
    length = dodona_type(length, type);
    if (known) {
        length = dodona_append(length, ": ", 2);
        length = dodona_append(length, known->what(), strlen(known->what()));
    }
    dodona_thrown[0] = reinterpret_cast<uintptr_t>(dodona_message);
    dodona_thrown[1] = length;
}

extern "C" uintptr_t *__dodona_panic_hook(void) { return dodona_thrown; }

#ifdef __wasm__
/* The standard library for WebAssembly that distributions build has no exceptions: `throw` ends the call, and `catch` is never entered. These functions
   stand for the missing ones. A library that has its own wins over them. */
#define DODONA_TRY
#define DODONA_CATCH(type)

/* What the types of libc++abi can do beside what `std::type_info` shows: tell whether a handler of one type takes what was thrown of another. */
struct dodona_type_info : std::type_info {
    virtual void noop1() const;
    virtual void noop2() const;
    virtual bool can_catch(const dodona_type_info *thrown, void *&adjusted) const;
};

extern "C" {
__attribute__((weak)) void *__cxa_allocate_exception(size_t size) {
    void *thrown = malloc(size);
    if (!thrown) __builtin_trap();
    return thrown;
}

__attribute__((weak)) void __cxa_free_exception(void *thrown) { free(thrown); }

__attribute__((weak, noreturn)) void __cxa_throw(void *thrown, std::type_info *type, void (*)(void *)) {
    void *adjusted = thrown;
    auto handler = reinterpret_cast<const dodona_type_info *>(&typeid(std::exception));
    bool is_known = handler->can_catch(reinterpret_cast<const dodona_type_info *>(type), adjusted);
    dodona_keep(type->name(), is_known ? static_cast<std::exception *>(adjusted) : nullptr);
    __builtin_trap();
}
}
#else
#include <cxxabi.h>

#define DODONA_TRY try
#define DODONA_CATCH(type) catch (...) { return dodona_caught<type>(); }

/* The name of a function of C as the assembler has it: on some machines an underscore stands before it. */
#define DODONA_TEXT_OF(prefix) #prefix
#define DODONA_TEXT(prefix) DODONA_TEXT_OF(prefix)
#define DODONA_SYMBOL(name) DODONA_TEXT(__USER_LABEL_PREFIX__) name

struct dodona_pair { const void *data; size_t length; };

/* Keeps the exception that is being handled; what it returns nobody reads. */
template <class T> static T dodona_caught() {
    const std::type_info *type = abi::__cxa_current_exception_type();
    const char *name = type ? type->name() : "of another language";
    try {
        throw;
    } catch (const std::exception &known) {
        dodona_keep(name, &known);
    } catch (...) {
        dodona_keep(name, nullptr);
    }
    return T();
}
#endif
