# fish completion for TOOL: TOOL completions fish | source
function FUNCTION
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1]
    for line in (TOOL __complete $words "$current" 2>/dev/null)
        set -l parts (string split \t -- $line)
        if test "$parts[1]" = :files
            set -l start "$parts[2]"
            set -l rest (string sub -s (math (string length -- "$start") + 1) -- "$current")
            for path in (__fish_complete_path "$rest")
                echo $start$path
            end
        else
            echo $line
        end
    end
end
complete -c TOOL -f -k -a '(FUNCTION)'
