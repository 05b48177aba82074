/** `durable-rag completion`: generates a shell script that completes commands, flags and values. Pure. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Names of the shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Returns the text of the completion script for a shell. */
export function completionScript(
  program: CommandUnknownOpts,
  shell: (typeof SHELLS)[number],
): string {
  const all = commandsWithin(program, program.name());
  if (shell === 'fish') return all.flatMap(fishLines).join('\n');
  const forBash = bashScript(all, program.name());
  return shell === 'bash' ? forBash : `autoload -U +X bashcompinit && bashcompinit\n${forBash}`;
}

/** The words that the script completes for one command. */
interface Completed {
  /** Full name of the command, such as "durable-rag runs delete". */
  path: string;
  below: { name: string; description: string }[];
  flags: { long: string; description: string; takes: boolean; choices: readonly string[] }[];
  /** Choices of its first argument; empty if it accepts anything else. */
  choices: readonly string[];
}

/** Returns a command and its subcommands, each with the flags of its parents too. */
function commandsWithin(
  command: CommandUnknownOpts,
  path: string,
  above: Completed['flags'] = [],
): Completed[] {
  const own = command.options.flatMap(({ long, description, argChoices, required, optional }) => {
    const takes = required || optional;
    return long ? [{ long, description, takes, choices: argChoices ?? [] }] : [];
  });
  const flags = [...own, ...above];
  const below = command.commands.map((one) => ({
    name: one.name(),
    description: one.description(),
  }));
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  return [
    { path, below, flags, choices },
    ...command.commands.flatMap((one) => commandsWithin(one, `${path} ${one.name()}`, flags)),
  ];
}

/** Returns the script for bash. Files are completed if no choices are known. */
function bashScript(all: readonly Completed[], program: string): string {
  const paths = all.map(({ path }) => `"${path}"`).join('|');
  const cases = all.flatMap(({ path, below, flags, choices }) => [
    ...flags
      .filter(({ choices }) => choices.length > 0)
      .map(({ long, choices }) => `    "${path}:${long}") words="${choices.join(' ')}" ;;`),
    // A flag that takes a value is followed by one that cannot be completed.
    ...flags
      .filter(({ takes, choices }) => takes && choices.length === 0)
      .map(({ long }) => `    "${path}:${long}") words="" ;;`),
    `    "${path}:"*) words="${[...below.map(({ name }) => name), ...choices, ...flags.map(({ long }) => long)].join(' ')}" ;;`,
  ]);
  const name = `_${program.replaceAll('-', '_')}`;
  return `${name}() {
  local path="${program}" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in ${paths}) path="$path $word" ;; esac
  done
  case "$path:\${COMP_WORDS[COMP_CWORD-1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${name} ${program}`;
}

function fishLines({ path, below, flags, choices }: Completed): string[] {
  const [program, ...names] = path.split(' ');
  const line = (rest: string, description: string) =>
    `complete -c ${program} -n ${quoted(condition(names, below))} ${rest}${description && ` -d ${quoted(description)}`}`;
  return [
    ...below.map(({ name, description }) => line(`-f -a ${name}`, description)),
    ...choices.map((choice) => line(`-f -a ${choice}`, '')),
    ...flags.map(({ long, description, takes, choices }) => {
      const values =
        choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takes ? ' -r' : '';
      return line(`-l ${long.slice(2)}${values}`, description);
    }),
  ];
}

/** Returns fish's condition that all these names were typed, and no subcommand of the last one. */
function condition(names: readonly string[], below: Completed['below']): string {
  const seen = names.map((name) => `__fish_seen_subcommand_from ${name}`);
  const last = below.map(({ name }) => name).join(' ');
  return [...seen, last && `not __fish_seen_subcommand_from ${last}`]
    .filter(Boolean)
    .join('; and ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
