/** Reads YAML files as plain data, with errors that name the line. */
import { type Document, isNode, isScalar, parseDocument, visit } from 'yaml';
import { Failure } from '../../core/failure.js';
import { BadInput, describeProblems, fieldName } from '../../core/options/problems.js';
import { parseTextFile } from '../../stores/text-file.js';

/**
 * A function that returns an error unchanged, except a BadInput: its message is reworded to name
 * the lines of its fields.
 */
type WithLines = (error: unknown) => unknown;

/**
 * Reads a YAML file and returns what `parse` makes of its data.
 *
 * @param parse Makes the result from the data. It also gets a function that adds the line to an
 * error. A BadInput that it throws need not name the file.
 * @throws Failure BadInput naming the file, and the line and field that `parse` refuses.
 */
export function parsedYaml<T>(
  file: string,
  parse: (value: unknown, withLines: WithLines) => Promise<T> | T,
): Promise<T> {
  return parseTextFile(file, async (text) => {
    const withLines = (error: unknown) => inLines(error, text);
    const value = plainYaml(text);
    try {
      return await parse(value, withLines);
    } catch (error) {
      throw withLines(error);
    }
  });
}

/**
 * Returns an error unchanged, except a BadInput: its message is reworded to name the lines of its
 * fields.
 */
function inLines(error: unknown, text: string): unknown {
  if (!(error instanceof BadInput)) return error;
  const document = parseDocument(text, { logLevel: 'error' });
  const nameOf = (path: readonly PropertyKey[]) => {
    const line = lineOf(path, document, text);
    return `${line === undefined ? '' : `line ${line}, `}${fieldName(path)}`;
  };
  const message = describeProblems(error.problems, { nameOf, none: 'null' });
  return new Failure('BadInput', message, { cause: error });
}

/**
 * Returns the line number, from 1, of a field, or of the innermost field around it that the text
 * has; undefined if it has none.
 */
function lineOf(
  path: readonly PropertyKey[],
  document: Document,
  text: string,
): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return text.slice(0, node.range[0]).split('\n').length;
  }
  return undefined;
}

/** Matches the tags of plain data. Any other tag asks for a type that no field accepts. */
const PLAIN_TAG = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

/**
 * Limit of YAML aliases, far above what a study needs; nested aliases can expand to millions of
 * values.
 */
const MOST_ALIASES = 100;

/**
 * Returns the data in a YAML text.
 *
 * @throws Failure BadInput for invalid YAML, for values of other types than JSON has, and for
 * aliases that are undefined, circular or too large.
 */
export function plainYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw new Failure('BadInput', `is not YAML: ${error.message}`, { cause: error });
  visit(document, {
    Node(_, node) {
      const { tag, range } = node;
      const line = text.slice(0, range?.[0] ?? 0).split('\n').length;
      if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) {
        const what = `has the value ${node.source} at line ${line}`;
        throw new Failure('BadInput', `${what}: write a finite number`);
      }
      if (tag === undefined || PLAIN_TAG.test(tag)) return;
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
