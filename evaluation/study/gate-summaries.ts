/** Writes the results of gates for people and for tools of continuous integration. Pure. */
import { plural, points } from '../runs/number-text.js';
import type { About } from '../statistics/decide.js';
import type { Gate, GateVerdict } from '../statistics/gate.js';

/**
 * A gate, that is, a condition that a study or run must meet, with its verdict (PASS, FAIL or
 * UNDECIDED) and a sentence with the reason, for JUnit and Markdown files.
 */
export interface CheckedGate {
  /** Name of the gate, such as "sure, nq, gpt-5-mini: em". */
  name: string;
  verdict: GateVerdict;
  /** Sentence with the reason for the verdict. */
  summary: string;
}

/**
 * Returns a clause that names a population, such as "for questions like these".
 *
 * @param about The population of a decision: questions like these, or this data set only.
 */
export function aboutText(about: About): string {
  return about === 'thisDataset'
    ? 'for this data set, not for other questions'
    : 'for questions like these';
}

/**
 * Returns the verdict of a gate with the difference from the baseline and its interval as a
 * clause.
 *
 * @param against Name of the baseline.
 * @example "shown to be less than 3.0 points worse than base: ..."
 */
export function gateText(gate: Gate, against: string): string {
  const { verdict, margin, difference, asked, alpha, about } = gate;
  const worse = `${(100 * margin).toFixed(1)} points`;
  const found: Record<GateVerdict, string> = {
    PASS: `shown to be less than ${worse} worse than ${against}`,
    FAIL: `shown to be ${worse} or more worse than ${against}`,
    UNDECIDED: `not decided whether it is ${worse} worse than ${against}`,
  };
  const { mean, low, high } = difference;
  return (
    `${found[verdict]}: difference ${points(mean)} (${points(low)} to ${points(high)} at ` +
    `${Number((100 * (1 - alpha)).toFixed(2))} %) after ${plural(asked, 'question')}, ${aboutText(about)}`
  );
}

/**
 * Returns gates as a JUnit XML document. A FAIL is a failure, and an undecided gate is an error,
 * since it is not a success.
 *
 * @param suite Name of the test suite.
 */
export function junitXml(suite: string, gates: readonly CheckedGate[]): string {
  const countOf = (verdict: GateVerdict) => gates.filter((gate) => gate.verdict === verdict).length;
  const counts = `tests="${gates.length}" failures="${countOf('FAIL')}" errors="${countOf('UNDECIDED')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(suite)}" ${counts}>`,
    ...gates.flatMap((gate) => testCase(suite, gate)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const ELEMENTS = { FAIL: 'failure', UNDECIDED: 'error' } as const;

function testCase(suite: string, { name, verdict, summary }: CheckedGate): string[] {
  const begin = `    <testcase classname="${xml(suite)}" name="${xml(name)}"`;
  if (verdict === 'PASS') {
    return [`${begin}>`, `      <system-out>${xml(summary)}</system-out>`, '    </testcase>'];
  }
  const element = `      <${ELEMENTS[verdict]} type="${verdict}" message="${xml(summary)}"/>`;
  return [`${begin}>`, element, '    </testcase>'];
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Escapes a text for XML. Characters that XML 1.0 does not allow are left out. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"'\n\r\t]/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Returns gates as a Markdown table under a heading, for the summary of a CI job.
 *
 * @param suite Text of the heading.
 */
export function gatesMarkdown(suite: string, gates: readonly CheckedGate[]): string {
  return [
    `### ${markdownCell(suite)}`,
    '',
    '| verdict | gate | |',
    '| --- | --- | --- |',
    ...gates.map(
      ({ name, verdict, summary }) =>
        `| ${verdict} | ${markdownCell(name)} | ${markdownCell(summary)} |`,
    ),
    '',
  ].join('\n');
}

/** Returns a text escaped for a cell of a Markdown table, with white space collapsed. */
export function markdownCell(text: string): string {
  return text.replaceAll(/[\\|`*_<>[\]#]/g, '\\$&').replaceAll(/\s+/g, ' ');
}
