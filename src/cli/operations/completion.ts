/** `completion`: what a shell needs to complete commands and options; and `complete`, which it then asks. */
import { Argument, type Command, type Option } from 'commander'
import { addExamples, type Configure, choice, findCommand, wordsOf } from '../terminal/usage.ts'

const readShell = choice('bash', 'zsh', 'fish')
const shells = new Argument('<shell>', 'the shell that completes them')
shells.argChoices = [...readShell.choices]

const scripts: Readonly<Record<ReturnType<typeof readShell>, string>> = {
  bash: String.raw`_subscription_sandbox() {
  local IFS=$'\n'
  local found
  found=$(subscription-sandbox complete -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
  COMPREPLY=($(compgen -W "$found" -- "${'$'}{COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _subscription_sandbox subscription-sandbox
`,
  zsh: String.raw`#compdef subscription-sandbox
_subscription_sandbox() {
  local -a found
  found=(${'$'}{(f)"$(subscription-sandbox complete -- "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null | sed $'s/:/\\\\:/g;s/\t/:/')"})
  (( $#found )) && _describe 'subscription-sandbox' found || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
compdef _subscription_sandbox subscription-sandbox
`,
  fish: String.raw`function __subscription_sandbox_complete
  set -l found (subscription-sandbox complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if set -q found[1]
    printf '%s\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c subscription-sandbox -f -a '(__subscription_sandbox_complete)'
`,
}

export const completionCommand: Configure = (command) => {
  addExamples(
    command,
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/conf.d/sandbox.fish',
  )
  command.addArgument(shells).action((shell: string) => {
    process.stdout.write(scripts[readShell(shell, 'shell')])
  })
}

/** Adds what `complete` takes: the words that were typed, the last of which may be half a word. */
export const completeCommand: Configure = (command) => {
  command.argument('[word...]').action((words: string[]) => {
    const { parent } = command
    const found = parent === null ? [] : completionsFor(parent, words)
    process.stdout.write(found.map(([word, text]) => `${word}\t${text}\n`).join(''))
  })
}

/** What can stand in the place of the last word, with what it is. */
export function completionsFor(
  program: Command,
  words: readonly string[],
): [word: string, text: string][] {
  const last = words.at(-1) ?? ''
  const command = findCommand(program, words.slice(0, -1))
  const help = program.createHelp()
  const options = help.visibleOptions(command)
  const isBefore = ({ long, short }: Option) => [long, short].includes(words.at(-2))
  const before = options.find((each) => each.required && isBefore(each))
  const all = (): [string, string][] => {
    // After an option that takes a value comes that value: one of its words, or what the shell completes as a file.
    if (before !== undefined) return wordsOf(command, before).map((word) => [word, ''])
    if (last.startsWith('-')) {
      return options.map((each) => [
        each.long ?? '',
        each.description || placeholderOf(command, each),
      ])
    }
    const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
    const textOf = (each: Command) => each.summary() || each.description()
    return [
      ...values.map((word): [string, string] => [word, '']),
      ...help.visibleCommands(command).map((each): [string, string] => [each.name(), textOf(each)]),
    ]
  }
  return all().filter(([word]) => word.startsWith(last))
}

/** What is typed behind an option without a description: one of its words, or a value of its kind. */
function placeholderOf(command: Command, option: Option): string {
  const words = wordsOf(command, option)
  return words.length > 0 ? `one of ${words.join(', ')}` : (/[<[].*/.exec(option.flags)?.[0] ?? '')
}
