# bash completion for gmpscope: the program itself knows what may follow (gmpscope help --complete).
_gmpscope() {
    local words=("${COMP_WORDS[@]:1:COMP_CWORD}") candidate last=$((COMP_CWORD - 1))
    words[last]=${words[last]#[\"\']} # an open quote is not part of the word
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        COMPREPLY+=("$candidate")
    done < <("${COMP_WORDS[0]}" help --complete "${words[@]}" 2>/dev/null)
}
complete -o bashdefault -o default -F _gmpscope gmpscope
