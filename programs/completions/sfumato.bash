# Completion of sfumato for bash.  The command itself says what may follow (`sfumato --complete`).

_sfumato() {
  local line=$COMP_LINE words=() word i candidate file_prefix='' files=''
  # Bash splits words at = and : too; parts without a blank between them are one word.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -gt 0 && $line != [[:space:]]* && -n $line ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    line=${line#"${line%%[![:space:]]*}"}
    line=${line#"$word"}
  done
  for i in "${!words[@]}"; do # what was quoted
    word=${words[i]}
    case $word in
    [\"\']*)
      candidate=${word:0:1}
      word=${word:1}
      word=${word%"$candidate"}
      ;;
    esac
    words[i]=${word//\\/}
  done
  local current=${words[${#words[@]} - 1]} cut=0 typed=${COMP_LINE:0:COMP_POINT} quote=''
  for ((i = 0; i < ${#typed}; i++)); do # the quote that is still open
    case ${typed:i:1}$quote in
    [\"\']) quote=${typed:i:1} ;;
    \"\" | \'\') quote='' ;;
    \\ | \\\") ((i++)) ;;
    esac
  done
  # What is typed is run, so a file of this folder is not: only what PATH or a whole path names.
  local command=${COMP_WORDS[0]}
  [[ $command == '~/'* ]] && command=$HOME/${command:2}
  [[ $command == */* && $command != /* ]] && return
  # What bash keeps of the word: up to its last = or :.
  if [[ $COMP_WORDBREAKS == *[=:]* && $current == *[=:]* ]]; then
    word=${current##*[=:]}
    cut=$((${#current} - ${#word}))
  fi
  COMPREPLY=()
  while IFS= read -r candidate; do
    if [[ $candidate == $'\t'* ]]; then
      files=yes
      file_prefix=${candidate#$'\t'}
      continue
    fi
    candidate=${candidate%%$'\t'*}
    candidate=${candidate:cut}
    [[ $candidate == *[=:,] ]] && compopt -o nospace
    if [[ $quote ]]; then # nothing that a quote does not hold
      word=$candidate
      [[ $quote == \' ]] && word=${candidate//\"/}
      [[ $word == *[!A-Za-z0-9_.,:=@%/+\ -]* ]] && continue
    elif [[ $candidate == *[!A-Za-z0-9_.,:=@%/+-]* ]]; then
      candidate=$(printf '%q' "$candidate")
    fi
    COMPREPLY+=("$candidate")
  done < <("$command" --complete "${words[@]:1}" 2>/dev/null)
  if [[ -n $files ]]; then
    local before=''
    if [[ ${#file_prefix} -gt $cut ]]; then before=${file_prefix:cut}; fi
    while IFS= read -r candidate; do
      COMPREPLY+=("$before$candidate")
    done < <(compgen -f -- "${current:${#file_prefix}}")
    compopt -o filenames
  fi
}

complete -F _sfumato sfumato
