/** Reads YAML as the plain data that JSON can hold. */
import { parseDocument, visit } from 'yaml';
import { Failure } from '../../core/failure.js';

/** The tags of plain data; any other one asks for a type that no field takes. */
const PLAIN_TAG = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

/**
 * Limit of YAML aliases, far above what a study needs; nested aliases can expand to millions of
 * values.
 */
const MOST_ALIASES = 100;

/**
 * Parses YAML to plain data. @throws Failure BadInput for invalid YAML, and for anything but plain
 * data.
 */
export function plainYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw new Failure('BadInput', `is not YAML: ${error.message}`, { cause: error });
  visit(document, {
    Node(_, { tag, range }) {
      if (tag === undefined || PLAIN_TAG.test(tag)) return;
      const line = text.slice(0, range?.[0] ?? 0).split('\n').length;
      const what = `has the tag ${JSON.stringify(tag)} at line ${line}`;
      throw new Failure('BadInput', `${what}: write the value without it`);
    },
  });
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    // A value that holds itself ends here.
    JSON.stringify(value);
    return value;
  } catch (cause) {
    const what = 'has aliases (*NAME) that are undefined, circular or too large';
    throw new Failure('BadInput', `${what}: write the values out`, { cause });
  }
}
