# Completion of sfumato for fish.  The command itself says what may follow (`sfumato --complete`).

function __sfumato_complete
    set -l current (commandline -ct)
    if string match -qr '^[\'"]' -- "$current" # a quote, which is still open
        set current (string sub -s 2 -- "$current")
    else
        set current (string unescape -- "$current"; or echo "$current")
    end
    set -l words (commandline -opc) "$current"
    # What is typed is run, so a file of this folder is not: only what PATH or a whole path names.
    set -l command (string replace -r '^~/' "$HOME/" -- $words[1])
    string match -q '*/*' -- $command; and not string match -q '/*' -- $command; and return
    for line in ($command --complete $words[2..-1] 2>/dev/null)
        if string match -q \t'*' -- $line
            set -l prefix (string sub -s 2 -- $line)
            set -l part (string sub -s (math 1 + (string length -- "$prefix")) -- "$current")
            for file in (__fish_complete_path "$part")
                echo $prefix$file
            end
        else
            echo $line
        end
    end
end

complete -c sfumato -f -a '(__sfumato_complete)'
