# fish completion for gmpscope: the program itself knows what may follow (gmpscope help --complete).
function __gmpscope_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] help --complete $words[2..-1] 2>/dev/null
end
complete -c gmpscope -k -a '(__gmpscope_complete)'
