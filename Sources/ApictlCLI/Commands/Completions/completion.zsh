#compdef TOOL
# zsh completion for TOOL: source <(TOOL completions zsh)
FUNCTION() {
    local -a values lines
    local value description files=0 start=
    while IFS=$'\t' read -r value description; do
        if [[ $value == :files ]]; then
            files=1 start=$description
        else
            values+=("$value")
            lines+=("$value${description:+  -- $description}")
        fi
    done < <(TOOL __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)
    if (( $#values )); then
        compadd -V TOOL -l -d lines -- "${values[@]}"
    fi
    if (( files )); then
        (( $#start )) && compset -p $#start
        _files
    fi
}
if [[ ${funcstack[1]} == FUNCTION ]]; then
    FUNCTION "$@"
else
    compdef FUNCTION TOOL
fi
