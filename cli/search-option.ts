/** The flag of every command that searches or indexes. */
import { Option } from '@commander-js/extra-typings';

/** DURABLE_RAG_SEARCH as a flag, which is put into the environment before the command runs. */
export function searchOption() {
  return new Option('--search <engine>', 'search engine (default: DURABLE_RAG_SEARCH)').choices([
    'lancedb',
    'elasticsearch',
  ] as const);
}
