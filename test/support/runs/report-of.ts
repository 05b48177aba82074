/** The report of runs, as the text of its page. */
import type { RunSource } from '../../../evaluation/runs/run-source.js';
import { methodRegistry } from '../../../interpreters/methods.js';
import { type ReportOptions, writeReport } from '../../../report/write-report.js';

export async function reportOf(
  runs: readonly RunSource[],
  more: Partial<ReportOptions> = {},
): Promise<string> {
  let html = '';
  const write = async (piece: string) => {
    html += piece;
  };
  const texts = async () => new Map();
  await writeReport(runs, { ...more, methods: methodRegistry(), texts, write });
  return html;
}
