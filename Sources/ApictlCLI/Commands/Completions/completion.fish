# fish completion for TOOL: TOOL completions fish | source
function FUNCTION
    set -l words (commandline -opc)
    set -e words[1]
    TOOL __complete $words (commandline -ct | string collect) 2>/dev/null
end
# Files are completed by fish itself, but after an @.
function FUNCTION_words
    set -l current (commandline -ct)
    for line in (FUNCTION)
        set -l parts (string split \t -- $line)
        if test "$parts[1]" != :files
            echo $line
        else if test -n "$parts[2]"
            set -l rest (string sub -s (math (string length -- "$parts[2]") + 1) -- "$current")
            test -n "$rest"; or set rest ./
            for path in (__fish_complete_path "$rest")
                echo $parts[2]$path
            end
        end
    end
end
function FUNCTION_files
    contains -- :files (FUNCTION | string replace -r '\t$' '')
end
complete -c TOOL -f -k -a '(FUNCTION_words)'
complete -c TOOL -n FUNCTION_files -F
