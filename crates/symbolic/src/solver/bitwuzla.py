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


def new_parser():
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.configure_terminator(exhausted)
    return parser


parser = new_parser()
for line in sys.stdin:
    spent = 0
    try:
        # What the parser itself cannot do: a limit of work, to begin again, and levels that outlast one of its texts.
        if words := re.match(r"\(set-option :rlimit (\d+)\)$", line):
            limit = int(words[1]) or sys.maxsize
        elif line == "(reset)\n":
            parser = new_parser()
        elif words := re.match(r"\(push (\d+)\)$", line):
            parser.bitwuzla().push(int(words[1]))
        elif words := re.match(r"\(pop (\d+)\)$", line):
            parser.bitwuzla().pop(int(words[1]))
        else:
            parser.parse(line, False, False)
    except Exception as problem:
        print('(error "%s")' % str(problem).replace('"', "'"), flush=True)
