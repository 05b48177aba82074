/** Flags for settings. They take precedence over the config file, and it over the environment. */
import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { choicesOf } from '../core/options/schema-fields.js';
import { type SettingName, setting, settingField } from '../core/settings.js';
import type { DurableRagOptions } from '../workers/worker-options.js';

/** The flag of a setting, with a check of its value. */
class SettingFlag extends Option {
  constructor(readonly variable: SettingName) {
    const { field, takes } = settingField(variable);
    const notes = [field.takes, `default: ${variable}`].filter(Boolean).join('; ');
    super((field.flag ?? '') as '', `${field.description} (${notes})`);
    if (field.flagGroup) this.helpGroup(`${field.flagGroup}:`);
    if (!this.required) return;
    const choices = choicesOf(field);
    if (choices.length > 0) this.choices(choices);
    this.argParser((text) => {
      const refused = new InvalidArgumentError(`It must be ${takes}.`);
      if (text.trim() === '') throw refused;
      try {
        setting({ [variable]: text }, variable);
      } catch {
        throw refused;
      }
      return text;
    });
  }
}

/**
 * Adds the flags of settings to a command, and returns the command.
 *
 * @param variables Names of the settings' variables.
 */
export function addSettings<C extends CommandUnknownOpts>(
  command: C,
  ...variables: readonly SettingName[]
): C {
  for (const variable of variables) command.addOption(new SettingFlag(variable));
  return command;
}

/** Settings that were typed as flags, as texts by the name of their variable. */
export type TypedSettings = Partial<Record<SettingName, string>>;

/** Returns the settings that were typed as flags of a command or its parents. */
export function typedSettings(command: CommandUnknownOpts): TypedSettings {
  const typed = command.options.flatMap((option) => {
    const name = option.attributeName();
    const isTyped = option instanceof SettingFlag && command.getOptionValueSource(name) === 'cli';
    return isTyped ? [[option.variable, String(command.getOptionValue(name))]] : [];
  });
  return { ...(command.parent && typedSettings(command.parent)), ...Object.fromEntries(typed) };
}

/**
 * Returns the options of a config file without those that were also typed as flags, which take
 * precedence.
 */
export function withoutTypedSettings(
  config: DurableRagOptions,
  typed: TypedSettings,
): DurableRagOptions {
  return Object.keys(typed).reduce<DurableRagOptions>((options, variable) => {
    const path = settingField(variable as SettingName).field.option?.split('.') ?? [];
    return without(options, path);
  }, config);
}

function without<T extends object>(options: T, [first, ...rest]: readonly string[]): T {
  if (first === undefined || !(first in options)) return options;
  const inner: unknown = rest.length > 0 && without(Object(options[first as keyof T]), rest);
  return { ...options, [first]: inner || undefined };
}
