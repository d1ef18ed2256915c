"""bitwuzla's Python module behind the pipe that every SMT-LIB solver has: a command a line on stdin, replies on stdout."""
import re, sys
try:
    import bitwuzla
except Exception as problem:
    sys.exit(f"no bitwuzla module: {problem}")
if "--version" in sys.argv:
    sys.exit(print("bitwuzla", bitwuzla.version()))

options = bitwuzla.Options()
options.set(bitwuzla.Option.PRODUCE_MODELS, True)
spent, limit = 0, sys.maxsize


def exhausted():  # asked a few times a millisecond; how often is the same for the same queries
    global spent
    spent += 1
    return spent > limit


class Session:
    """What the parser cannot do itself: levels that outlast one of its texts, with the names that they define."""

    def __init__(self):
        self.parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        self.parser.configure_terminator(exhausted)
        self.defined, self.renamed, self.definitions = set(), {}, 0

    def run(self, line):
        if words := re.match(r"\((push|pop) (\d+)\)$", line):
            getattr(self.parser.bitwuzla(), words[1])(int(words[2]))
            return
        if words := re.match(r"\((?:define-fun|declare-const) ((\w)\w*)", line):
            name = words[1]
            if name not in self.defined:
                self.defined.add(name)
            elif words[2] == "v":
                return  # a variable is the same in every level
            else:
                # Its operands were defined before it: they have their names already.
                self.definitions += 1
                self.renamed[name] = f"{name}_{self.definitions}"
        text = line
        if self.renamed:
            text = re.sub(r"(?<![#\w])[nb]\d+", lambda word: self.renamed.get(word[0], word[0]), line)
        self.parser.parse(text, False, False)


session = Session()
for line in sys.stdin:
    spent = 0
    try:
        if words := re.match(r"\(set-option :rlimit (\d+)\)$", line):
            limit = int(words[1]) or sys.maxsize
        elif words := re.match(r'\(echo "(.*)"\)$', line):
            print(words[1], flush=True)  # also when the parser refuses all after an error
        elif line == "(reset)\n":
            session = Session()
        else:
            session.run(line)
    except Exception as problem:
        print('(error "%s")' % str(problem).replace('"', "'"), flush=True)
