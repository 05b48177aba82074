/** The flag `--json`, which every command has; docs/command-line.md says what each prints. */
import { Option } from '@commander-js/extra-typings';

export function jsonOption(what = 'the same as JSON, errors too') {
  return new Option('--json', what);
}
