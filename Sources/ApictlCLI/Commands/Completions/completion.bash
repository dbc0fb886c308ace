# bash completion for TOOL: source <(TOOL completions bash)
FUNCTION() {
    local words=() word index joined=
    for ((index = 1; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if [[ -n $word && ($joined == *[=:@] || $word == [=:@]*) && $COMP_LINE == *"$joined$word"* ]]; then
            joined=$joined$word
            words[${#words[@]} - (${#words[@]} > 0)]=$joined
        else
            joined=$word
            words[${#words[@]}]=$word
        fi
    done
    local value start last=${joined##*[=:]}
    [[ $last == *@* ]] && last=@${last##*@}
    local cut=${joined%"$last"}
    compopt -o nosort 2>/dev/null
    COMPREPLY=()
    while IFS=$'\t' read -r value start; do
        if [[ $value == :files ]]; then
            # Readline itself completes files, with quotes, ~ and variables, but not after an @; bash 3 can't be told.
            [[ -z $start ]] && compopt -o default 2>/dev/null && break
            while IFS= read -r value; do
                value=$start$value
                COMPREPLY[${#COMPREPLY[@]}]=$(printf %q "${value#"$cut"}")
            done < <(compgen -f -- "${joined#"$start"}")
        else
            COMPREPLY[${#COMPREPLY[@]}]=$(printf %q "${value#"$cut"}")
        fi
    done < <(TOOL __complete "${words[@]}" 2>/dev/null)
}
complete -F FUNCTION TOOL
