/** Parts of LaTeX tables that all tables share: rows, the whole table, and escaped text. Pure. */

/**
 * Returns the cells of a row as a line of a LaTeX table, without a line feed; cells must be escaped
 * already.
 */
export function latexLine(cells: readonly string[]): string {
  const line = cells.join(' & ');
  // After the end of a row or a rule, a star or a square bracket would be an argument of theirs.
  return `    ${/^\s*[*[]/.test(line) ? '{}' : ''}${line} \\\\`;
}

/** The parts of a LaTeX table. */
interface LatexGrid {
  /** Number of columns that name a row. */
  names: number;
  /** Number of columns after those. */
  columns: number;
  /** Lines above the rows, made by `latexLine`. */
  heading: readonly string[];
  rows: readonly string[];
  /** Caption, as plain text. */
  caption: string;
  /** Name that the label is derived from. */
  label: string;
}

/** Returns a LaTeX table that uses the package booktabs as text, ending with a line feed. */
export function latexGrid({ names, columns, heading, rows, caption, label }: LatexGrid): string {
  return `${[
    '% \\usepackage{booktabs}',
    '\\begin{table}',
    '  \\centering',
    `  \\begin{tabular}{${'l'.repeat(names)}${'r'.repeat(columns)}}`,
    '    \\toprule',
    ...heading,
    '    \\midrule',
    ...rows,
    '    \\bottomrule',
    '  \\end{tabular}',
    `  \\caption{${latexText(caption)}}`,
    `  \\label{tab:${labelOf(label)}}`,
    '\\end{table}',
  ].join('\n')}\n`;
}

/** Returns a name in the form of a LaTeX label. */
function labelOf(study: string): string {
  return study.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}

/** The LaTeX for characters that are special there, or that its usual fonts lack. */
const WRITTEN: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '`': '\\textasciigrave{}',
  '%': '\\%',
  _: '\\_',
  '&': '\\&',
  '#': '\\#',
  $: '\\$',
  '{': '\\{',
  '}': '\\}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '−': '$-$',
  '≤': '$\\le$',
  '≥': '$\\ge$',
  '→': '$\\to$',
  '"': "''",
  '-': '-{}',
};

/**
 * Pattern of what is written in another way: an opening quote, whitespace, a hyphen before another
 * one, and the characters above.
 */
const SPECIAL =
  /(?<opening>(?<![\p{L}\p{N}\p{Pe}.!?%])["'](?=[^\s\p{Pe}.,;:!?]))|(?<space>\s+)|-(?=-)|[\\~^`%_&#${}<>|−≤≥→"]/gu;

/**
 * Returns a text as one line of LaTeX: special characters are escaped, straight quotes become
 * opening and closing ones, and hyphens do not join to a dash ("--sample").
 */
export function latexText(text: string): string {
  return text.replace(SPECIAL, (said, opening: string | undefined, space: string | undefined) => {
    if (opening !== undefined) return opening === '"' ? '``' : '`';
    return space === undefined ? (WRITTEN[said] ?? said) : ' ';
  });
}
