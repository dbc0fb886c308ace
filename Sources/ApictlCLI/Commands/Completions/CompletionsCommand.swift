/// `completions SHELL`: prints a shell's completion script, which asks the tool itself what may come next.
struct CompletionsCommand: Command {
    /// A shell with programmable completion.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    static let name = "completions"
    static let usage = "completions bash|zsh|fish"
    static let summary = "print a shell's completion script"
    static let operands = Operands.values(Shell.allCases.map(\.rawValue))
    static let table = NoOptions.table

    static func notes(_ context: RunContext) -> CommandNotes {
        CommandNotes(
            paragraphs: ["Completion never uses the network."],
            example: """
                bash  source <(\(context.tool) completions bash)      in ~/.bashrc
                zsh   source <(\(context.tool) completions zsh)       in ~/.zshrc, after compinit
                fish  \(context.tool) completions fish | source       in ~/.config/fish/config.fish

                """)
    }

    private let shell: Shell

    init(_ words: CommandWords<NoOptions>) throws {
        try words.requireAtMost(1)
        let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = words.others.first else { throw UsageError("completions needs a shell: \(names)") }
        guard let shell = Shell(rawValue: word.text) else {
            throw UsageError("there is no completion for \(word.shown), only for \(names)")
        }
        self.shell = shell
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        // A function's name, of letters, digits and underscores.
        let function = "_" + context.tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let script = shell.script.replacing("FUNCTION", with: function).replacing("TOOL", with: context.tool)
        try context.environment.stdout.write(script)
        return .success
    }
}

extension CompletionsCommand.Shell {
    /// The completion script, which asks `TOOL __complete` for candidates.
    fileprivate var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// For bash 3.2 and later. Bash splits words after `=` and `:` and before `@`; they are joined again, and what is before the last part is
    /// cut off the candidates. The order is kept from 4.4 on.
    private static let bashScript = #"""
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

        """#

    private static let zshScript = #"""
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

        """#

    private static let fishScript = #"""
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

        """#
}
