# Prints the atomic operations of the C function `fn`, those of single_p.h among them, in the order of the text: "OPERATION VARIABLE ORDER [ORDER
# IF IT FAILS]",
# and the calls of the functions listed in `calls` ("a|b|c"), as "call NAME". Nothing is printed if there is no such function.

function without_comments(line,    out, at) {
    while (line != "") {
        if (in_comment) {
            if (!(at = index(line, "*/"))) return out
            line = substr(line, at + 2); in_comment = 0
        } else {
            if (!(at = index(line, "/*"))) return out line
            out = out substr(line, 1, at - 1) " "; line = substr(line, at + 2); in_comment = 1
        }
    }
    return out
}

# The arguments of a call, from behind its parenthesis, into arg[1..]; returns how many.
function arguments(text,    depth, n, i, c) {
    delete arg
    n = 1
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(" || c == "[") depth++
        if (c == ")" || c == "]") { if (depth == 0) return n; depth-- }
        if (c == "," && depth == 0) n++
        else arg[n] = arg[n] c
    }
    return n
}

# The last name in &a->b.c[i], or the function in f(x).
function variable(expr) {
    gsub(/\[[^]]*\]/, "", expr)
    if (match(expr, /[a-z_]+ *\(/)) return substr(expr, RSTART, index(substr(expr, RSTART), "(") - 1)
    match(expr, /[A-Za-z0-9_]+ *$/)
    expr = substr(expr, RSTART)
    sub(/ *$/, "", expr)
    return expr
}

function operation(name, rest,    n, i, out) {
    n = arguments(rest)
    if (sub(/^shared_/, "", name)) { # the M comes first
        sub(/[0-9]+$/, "", name); sub(/^swap$/, "exchange", name); sub(/^add$/, "fetch_add", name)
        for (i = 1; i < n; i++) arg[i] = arg[i + 1]
        n--
    }
    sub(/^atomic_/, "", name); sub(/_explicit$/, "", name)
    sub(/^compare_exchange_strong$/, "cas", name); sub(/^compare_exchange_weak$/, "cas", name)
    out = name " " variable(arg[1])
    for (i = 2; i <= n; i++)
        if (match(arg[i], /^ *memory_order_[a-z_]+/)) { # none of a nested operation
            sub(/^ *memory_order_/, "", arg[i])
            out = out " " arg[i]
        }
    print out
}

function scan(text,    name, pattern) {
    pattern = "[A-Za-z_][A-Za-z_0-9]* *\\("
    while (match(text, pattern)) {
        name = substr(text, RSTART, RLENGTH - 1)
        sub(/ *$/, "", name)
        text = substr(text, RSTART + RLENGTH)
        if (name ~ /^(atomic_.*_explicit|shared_[a-z]+[0-9]*)$/) operation(name, text)
        else if (name ~ ("^(" calls ")$")) print "call " name
    }
}

{
    line = without_comments($0)
    if (!inside && line ~ /^[A-Za-z]/ && line ~ ("(^|[ *])" fn "\\(")) { inside = 1; body = "" }
    if (!inside) next
    body = body " " line
    if (line ~ /^[A-Za-z].*;[ ]*$/ && line !~ /\{/) inside = 0 # only declared
    if (line ~ /^\}/ || line ~ /^[A-Za-z].*\{.*\}[ ]*$/) {
        scan(substr(body, index(body, "{") + 1))
        exit
    }
}
