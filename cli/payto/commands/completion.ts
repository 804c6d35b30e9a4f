// `payto completion`: scripts that complete commands, options and kinds in a shell.
import { Argument, type Command } from 'commander';
import { KINDS, LISTS } from '../kinds.js';
import type { Io } from '../io.js';

/** Adds the command. Call it last, because it lists those before it. */
export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .summary('print a completion script for bash or zsh')
    .description(
      'Prints a completion script.\n' +
        '  bash: eval "$(payto completion bash)" in ~/.bashrc\n' +
        '  zsh:  eval "$(payto completion zsh)" in ~/.zshrc, after compinit',
    )
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .action((shell: 'bash' | 'zsh') => io.out(shell === 'bash' ? bashScript(program) : zshScript(program)));
}

const optionsOf = (command: Command): string[] =>
  command.options.flatMap(({ long, hidden }) => (long == null || hidden ? [] : [long]));

/** The words after each command. */
function wordsOf(program: Command): (readonly [string, string])[] {
  const shared = optionsOf(program);
  return program.commands.map((command) => {
    const [first] = command.registeredArguments;
    const kinds =
      command.name() === 'list'
        ? Object.keys(LISTS)
        : first?.name() === 'kind-or-uid'
          ? KINDS.map(({ name }) => name)
          : [];
    const shells = first?.argChoices ?? [];
    return [command.name(), [...kinds, ...shells, ...optionsOf(command), ...shared, '--help'].join(' ')];
  });
}

const casesOf = (program: Command): string =>
  wordsOf(program)
    .map(([name, words]) => `    ${name}) candidates="${words}" ;;`)
    .join('\n');

const namesOf = (program: Command): string => program.commands.map((command) => command.name()).join(' ');

const bashScript = (program: Command): string => `_payto() {
  local candidates="${namesOf(program)} --help --version"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${casesOf(program)}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _payto payto
`;

const zshScript = (program: Command): string => `#compdef payto
_payto() {
  local candidates="${namesOf(program)} --help --version"
  (( CURRENT > 2 )) && case "\${words[2]}" in
${casesOf(program)}
  esac
  compadd -- \${=candidates}
  _files
}
compdef _payto payto
`;
